import { jsonText } from '../formats/json/json-text.ts';
import type { Redacted } from '../formats/json/preview.ts';
import { byWeight, shownSuspect, type Suspect, type SuspectCall } from '../formats/summary/suspect.ts';
import type { Json } from '../scoring/json.ts';
import { type Remedy, remedyFor } from '../scoring/match/remedy.ts';
import type { Verdict } from '../scoring/match/verdict.ts';
import type { Call } from '../scoring/prediction.ts';
import { hashOf } from '../scoring/similarity.ts';
import type { Truth, TruthTable } from '../scoring/truth.ts';
import type { Layout } from '../state/row-layout.ts';
import type { Event } from '../stream/event.ts';
import type { Judged } from '../stream/judgement.ts';
import type { Scored } from '../stream/score.ts';
import { inOrder, isSame } from './calls-in-order.ts';

export interface SuspectsOptions {
  readonly layout: Layout;
  /** Models that must agree on an answer. */
  readonly models: number;
  readonly bounds: SuspectsBounds;
}

interface SuspectsBounds {
  /** Examples that are remembered: those that were wrong most often. */
  readonly examples: number;
  /** Characters of the JSON of calls; longer answers, and what was expected, are not kept. */
  readonly characters: number;
}

/** For a command that looks at files: nothing is left out. */
export const unbounded: SuspectsBounds = {
  examples: Number.POSITIVE_INFINITY,
  characters: Number.POSITIVE_INFINITY,
};

/** Suspects that are shown together. */
export const shownMax = 20;

/** The first of them, as they may be shown. */
export function shownSuspects(suspects: Suspects, redact: Redacted): readonly Suspect[] {
  return suspects
    .list()
    .slice(0, shownMax)
    .map((suspect) => shownSuspect(suspect, redact));
}

/** For a service: some ten MB at the most. */
export const bounded: SuspectsBounds = { examples: 1_000, characters: 2_000 };

/** Examples whose truth is contradicted. It is a memory of this process, and no part of the state. */
export interface Suspects {
  /** Takes every failed event; others are taken too. */
  add(scored: Scored): void;
  /** Takes every event that family `match` holds right. */
  addRight(event: Event): void;
  /** Takes every judgement, before or after the event that it is of. */
  addJudgement(judged: Judged): void;
  /** Forgets what was said of rows that now say something else. */
  truthChanged(table: TruthTable): void;
  /** The suspects, first that most more models gave than were right. */
  list(): readonly Suspect[];
  /** Examples seen, as far as they are remembered. */
  readonly examples: number;
}

const answersMax = 8;
/** Models of an example, and events of an answer that a judgement may be of. */
const namesMax = 64;
const eventsMax = 32;

interface Answer {
  readonly calls: readonly Call[];
  /** The remedy of an answer that may be shown; undefined before, null where there is none. */
  remedy: Remedy | null | undefined;
  readonly models: Set<string>;
  readonly judges: Set<string>;
  /** The latest events that gave it, where there are judgements. */
  readonly keys: Set<string>;
  events: number;
}

interface Example {
  readonly id: string;
  readonly models: Set<string>;
  readonly right: Set<string>;
  readonly answers: Answer[];
  /** Judges that pass an event, by its key: of events that are not known yet. */
  readonly passes: Map<string, string>;
  /** The row that the answers are wrong by; undefined before the first. */
  truth: { readonly hash: number; readonly expected: readonly SuspectCall[] | null } | undefined;
  /** How often it was wrong. */
  wrong: number;
}

/** Remembers the answers that family `match` holds wrong, by example. */
export function createSuspects({ layout, models: least, bounds }: SuspectsOptions): Suspects {
  const withJudgements = layout.judged !== undefined;
  const memory: Memory = { examples: new Map(), least, bounds, withJudgements };
  const { examples } = memory;
  const match = layout.families.findIndex(({ name }) => name === 'match');
  const suspects: Suspects = {
    add(scored) {
      const verdict = scored.outcomes[match] as Verdict | undefined;
      if (verdict?.correct === true) suspects.addRight(scored.event);
      else if (verdict !== undefined) addWrong(memory, scored, verdict);
    },
    addRight(event) {
      if (match >= 0) addRight(memory, event);
    },
    addJudgement(judged) {
      const { judgement, family, passes } = judged;
      if (family === 'judge' && passes && judgement.exact !== true) addPass(memory, judged);
    },
    truthChanged(table) {
      for (const [id, { truth }] of examples) {
        const row = truth === undefined ? 0 : table.find(id);
        if (truth !== undefined && (row < 0 || hashOfTruth(table.read(row)) !== truth.hash)) examples.delete(id);
      }
    },
    list() {
      const found = [...examples.values()].flatMap((example) => suspectOf(example, least));
      return found.sort(byWeight);
    },
    get examples() {
      return examples.size;
    },
  };
  return suspects;
}

interface Memory {
  readonly examples: Map<string, Example>;
  /** Models that must agree. */
  readonly least: number;
  readonly bounds: SuspectsBounds;
  readonly withJudgements: boolean;
}

/** A right answer counts beside wrong ones only: it takes no other example's place. */
function addRight({ examples, bounds }: Memory, { exampleId: id, model }: Event): void {
  const example = examples.size < bounds.examples ? exampleOf(examples, id, bounds) : examples.get(id);
  if (example === undefined) return;
  addBounded(example.models, model, namesMax);
  addBounded(example.right, model, namesMax);
}

function addWrong(memory: Memory, scored: Scored, verdict: Verdict): void {
  const { examples, least, bounds, withJudgements } = memory;
  const { event, ts } = scored;
  const { model } = event;
  const example = exampleOf(examples, event.exampleId, bounds);
  example.wrong++;
  addBounded(example.models, model, namesMax);
  const answer = answerOf(example, inOrder(verdict.predicted), scored.joined.truth, bounds.characters);
  if (answer === undefined) return;
  answer.events++;
  addBounded(answer.models, model, namesMax);
  if (answer.remedy === undefined && (withJudgements || answer.models.size >= least))
    answer.remedy = remedyFor(verdict, scored.joined.truth.expected) ?? null;
  if (withJudgements) addKey(example, answer, keyOf(event, ts));
}

function addPass({ examples, bounds }: Memory, { event, ts, judgement }: Judged): void {
  const { answers, passes } = exampleOf(examples, event.exampleId, bounds);
  const key = keyOf(event, ts);
  const answer = answers.find(({ keys }) => keys.has(key));
  if (answer !== undefined) addBounded(answer.judges, judgement.by, namesMax);
  else {
    passes.set(key, judgement.by);
    if (passes.size > eventsMax) passes.delete(passes.keys().next().value!);
  }
}

/** The example of an id; where there is no room for a new one, those that were wrong most often stay. */
function exampleOf(examples: Memory['examples'], id: string, { examples: most }: SuspectsBounds): Example {
  const known = examples.get(id);
  if (known !== undefined) return known;
  if (examples.size >= 2 * most) keepMostWrong(examples, most);
  const example = emptyExample(id);
  examples.set(id, example);
  return example;
}

function emptyExample(id: string): Example {
  const sets = { models: new Set<string>(), right: new Set<string>(), passes: new Map<string, string>() };
  return { id, ...sets, answers: [], truth: undefined, wrong: 0 };
}

function keepMostWrong(examples: Map<string, Example>, most: number): void {
  const left = [...examples.values()].sort((a, b) => b.wrong - a.wrong).slice(most);
  for (const { id } of left) examples.delete(id);
}

function addBounded(set: Set<string>, text: string, most: number): void {
  if (set.size < most) set.add(text);
}

/** A prediction as its judgements name it. */
function keyOf({ model, agent }: Event, ts: number): string {
  return JSON.stringify([ts, model, agent]);
}

/** The latest are kept: a judgement comes soon. */
function addKey({ passes }: Example, { keys, judges }: Answer, key: string): void {
  keys.add(key);
  if (keys.size > eventsMax) keys.delete(keys.keys().next().value!);
  const judge = passes.get(key);
  if (judge === undefined) return;
  passes.delete(key);
  addBounded(judges, judge, namesMax);
}

/** The answer of these calls among those of an example; undefined where it is too long to be kept. */
function answerOf(example: Example, calls: readonly Call[], truth: Truth, characters: number): Answer | undefined {
  const { answers } = example;
  const found = answers.find((answer) => isSame(answer.calls, calls));
  if (found !== undefined) return found;
  if (isLonger(calls, characters)) return undefined;
  const { expected } = truth;
  example.truth ??= {
    hash: hashOfTruth(truth),
    expected: expected === undefined || isLonger(expected, characters) ? null : expected,
  };
  // The rarest makes room: those that many models give come back.
  if (answers.length === answersMax) answers.splice(rarest(answers), 1);
  const sets = { models: new Set<string>(), judges: new Set<string>(), keys: new Set<string>() };
  const answer = { calls, remedy: undefined, ...sets, events: 0 };
  answers.push(answer);
  return answer;
}

function rarest(answers: readonly Answer[]): number {
  const rank = ({ judges, models, events }: Answer): number => judges.size + models.size + events;
  return answers.reduce((least, answer, at) => (rank(answer) < rank(answers[least]!) ? at : least), 0);
}

function isLonger(calls: unknown, characters: number): boolean {
  return characters < Number.POSITIVE_INFINITY && jsonText(calls as Json).length > characters;
}

function hashOfTruth({ expected, alternatives, forbidden }: Truth): number {
  return hashOf([expected ?? null, alternatives ?? null, forbidden ?? null] as unknown as Json);
}

/** The answer that most models gave, of those that enough models and more than were right gave, or that a judge passes. */
function suspectOf({ id, truth, models, right, answers }: Example, least: number): Suspect[] {
  const isSuspect = (answer: Answer): boolean =>
    answer.judges.size > 0 || (answer.models.size >= least && answer.models.size > right.size);
  const [most] = answers.filter(isSuspect).sort((a, b) => b.models.size - a.models.size || b.events - a.events);
  if (most === undefined) return [];
  return [
    {
      example_id: id,
      expected: truth!.expected,
      said: most.calls.map(({ name, arguments: given }) => ({ name: name ?? null, arguments: given ?? null })),
      models: [...most.models].sort(),
      of_models: models.size,
      events: most.events,
      right_models: right.size,
      judges: [...most.judges].sort(),
      remedy: most.remedy ?? null,
    },
  ];
}
