import type { Decided } from '../../scoring/decision/index.ts';
import { predictedNames } from '../../scoring/label.ts';
import type { CallError } from '../../scoring/match/errors.ts';
import { anyIndex } from '../../scoring/match/paths.ts';
import type { Verdict } from '../../scoring/match/verdict.ts';
import type { Json } from '../../scoring/json.ts';
import { findingsIn, type ToolUseOutcome } from '../../scoring/tool-use/index.ts';
import { getOrPut } from '../../state/containers/get-or-put.ts';
import type { Layout } from '../../state/row-layout.ts';
import type { Scored } from '../../stream/score.ts';
import { hiddenValue, hidesSome, type PreviewOptions, previewText, type Redacted, shortText } from '../json/preview.ts';
import { isHiddenAt, nameCharacters } from './match-errors.ts';

/** One way in which events fail: the same error of the same argument of the same tool. */
export interface ErrorKind {
  /** `wrong_value of book at city`. */
  readonly name: string;
  /** Family that finds it. */
  readonly family: string;
  readonly events: number;
  /** The first of these events. */
  readonly examples: readonly FailedExample[];
}

/** File and line of a record. */
export interface RecordPlace {
  readonly file: string;
  readonly line: number;
}

/** A failed event, as a person looks it up. */
export interface FailedExample {
  readonly exampleId: string;
  /** The id that `assay explain` finds it by: that of the event, else of the example. */
  readonly id: string;
  readonly model: string;
  readonly place: RecordPlace;
  /** `expected "Oslo", got "Oslo, Norway"`; empty where the name says everything. */
  readonly detail: string;
}

/** Counts of failed events by kind of error. */
export interface ErrorKinds {
  /** Counts a failed event, once for each of its kinds. */
  add(scored: Scored, place: RecordPlace): void;
  /** The kinds so far: those of most events first, equal ones in the order in which they came. */
  sorted(): readonly ErrorKind[];
}

/** Examples kept of a kind. */
const examplesMax = 100;
/** Kinds that are counted by tool and argument; further ones are counted by their error alone. */
const kindsMax = 1_000;
const valueCharacters = 120;

/** Empty counts. Values of fields in `redact` are not shown. */
export function createErrorKinds(layout: Layout, redact: Redacted): ErrorKinds {
  const kinds = new Map<string, Kept>();
  const preview: PreviewOptions = { charactersMax: valueCharacters, redact };
  return {
    add(scored, place) {
      const { exampleId, eventId, model } = scored.event;
      const counted = new Set<string>();
      for (const found of errorsIn(scored, layout, preview)) {
        const full = nameOf(found);
        const name = kinds.has(full) || kinds.size < kindsMax ? full : found.error;
        if (counted.has(name)) continue;
        counted.add(name);
        const kept = getOrPut(kinds, name, () => ({ name, family: found.family, events: 0, examples: [] }));
        kept.events++;
        if (kept.examples.length < examplesMax)
          kept.examples.push({ exampleId, id: eventId ?? exampleId, model, place, detail: found.detail() });
      }
    },
    sorted: () => [...kinds.values()].sort((a, b) => b.events - a.events),
  };
}

/** A failed event with the kind that it is shown for. */
export interface KindExample {
  readonly kind: ErrorKind;
  readonly example: FailedExample;
}

/** Failed events, each once: one of each kind in their order, then a second one of each, and so on. */
export function examplesOf(kinds: readonly ErrorKind[], most: number): KindExample[] {
  const shown = new Map<string, KindExample>();
  for (let at = 0; at < examplesMax && shown.size < most; at++)
    for (const kind of kinds) {
      const example = kind.examples[at];
      if (example !== undefined && shown.size < most)
        getOrPut(shown, `${example.place.file}:${example.place.line} ${example.id}`, () => ({ kind, example }));
    }
  return [...shown.values()];
}

interface Kept {
  readonly name: string;
  readonly family: string;
  events: number;
  readonly examples: FailedExample[];
}

interface Found {
  readonly family: string;
  readonly error: string;
  readonly tool?: string | undefined;
  readonly path?: string | undefined;
  readonly detail: () => string;
}

function nameOf({ error, tool, path }: Found): string {
  const of = tool === undefined ? '' : ` of ${shortText(tool, nameCharacters)}`;
  return `${error}${of}${path === undefined ? '' : ` at ${shortText(path, nameCharacters)}`}`;
}

/** The errors of an event by the first of these that finds some: calls, decision, use of tools, any family. */
function errorsIn(scored: Scored, { families }: Layout, preview: PreviewOptions): readonly Found[] {
  const outcomeOf = (name: string): unknown => scored.outcomes[families.findIndex((family) => family.name === name)];
  const verdict = outcomeOf('match') as Verdict | undefined;
  if (verdict !== undefined && verdict.errors.length > 0)
    return verdict.errors.filter(isOwnError).map((error) => ofCall(error, preview));
  const failing = families.filter((family, at) => {
    const outcome = scored.outcomes[at];
    return outcome !== undefined && !family.perfect(outcome);
  });
  if (failing.some(({ name }) => name === 'decision')) return [ofDecision(outcomeOf('decision') as Decided)];
  const toolUse = outcomeOf('tool_use') as ToolUseOutcome | undefined;
  const findings = toolUse === undefined ? [] : findingsIn(toolUse);
  if (findings.length > 0)
    return findings.map(({ rate, tool, detail }) => {
      const shown = detail !== '' && hidesSome(preview.redact) ? hiddenValue : shortText(detail, valueCharacters);
      return { family: 'tool_use', error: rate, tool, detail: () => shown };
    });
  return failing.slice(0, 1).map(({ name }) => ({ family: name, error: `${name} is wrong`, detail: () => '' }));
}

/** Returns whether an error is no consequence of another: a call that cannot be read is also missing. */
function isOwnError({ error, tool }: CallError, _at: number, all: readonly CallError[]): boolean {
  return error !== 'missing_call' || !all.some((other) => other.error === 'malformed_call' && other.tool === tool);
}

function ofCall({ error, tool, path, expected, actual }: CallError, preview: PreviewOptions): Found {
  const text = (value: Json | undefined): string => {
    if (value === undefined) return 'nothing';
    return path !== undefined && isHiddenAt(path, preview) ? hiddenValue : previewText(value, preview);
  };
  const isValue = expected !== undefined || actual !== undefined;
  return {
    ...{ family: 'match', error, tool, path: path && anyIndex(path) },
    detail: () => (isValue ? `expected ${text(expected)}, got ${text(actual)}` : ''),
  };
}

function ofDecision({ gold, predicted }: Decided): Found {
  const error = `${predictedNames[predicted]} where ${predictedNames[gold]} is right`;
  return { family: 'decision', error, detail: () => '' };
}
