import { type Keys, keysOf } from '../../adapters/keys.ts';
import { rubricWithoutTruth } from '../../adapters/judge/prompt.ts';
import { UsageError } from '../../errors.ts';
import { jsonText } from '../../formats/json/json-text.ts';
import type { Json } from '../../scoring/json.ts';
import { eachScored, type ScoredEventsOptions } from '../../service/scored-events.ts';
import { tagsOf } from '../../config/settings.ts';
import type { Scored } from '../../stream/score.ts';
import { printable } from '../../terminal/terminal-text.ts';
import { type AnswerFile, answerFile } from './answer-file.ts';
import { type Chosen, chooser, hashOf } from './chosen.ts';
import { rubricOf } from './judges.ts';
import { judgementId, rubricHash } from './judging.ts';

export interface JudgeHumanOptions extends ScoredEventsOptions {
  /** File of judgements, which is gone on with. */
  readonly output: string;
  /** The name of the person who judges. */
  readonly name: string;
}

const scale = [1, 7] as const;
const interrupt = '\u0003';
const help = '1 to 7, s: skip, q: stop';

/**
 * `assay judge --human`: walks a person through the chosen predictions at a terminal, one key each. What the rules say is not shown: it would be judged
 * with. Resolves with the exit status.
 */
export async function judgeHuman(options: JudgeHumanOptions): Promise<number> {
  const { config, output, name } = options;
  if (options.events.includes('-')) throw new UsageError('judge: --human reads keys from stdin; name files of events');
  const rubric = await rubricOf(config.judge.judge?.rubric, options.signal);
  const answers = await answerFile(output);
  const keys = keysOf(process.stdin);
  try {
    const chosen = await chosenOf(options);
    const by = `human:${name}`;
    const rubrics = { given: rubric, withoutTruth: rubricWithoutTruth };
    const left = chosen.filter((one) => !answers.has(judgementId(one, 'judge', by, rubricFor(rubrics, one))));
    if (left.some(({ hasTruth }) => hasTruth)) writeRubric('', rubric);
    if (left.some(({ hasTruth }) => !hasTruth)) writeRubric('Without expected calls:\n', rubricWithoutTruth);
    const judged = await walk(left, { keys, answers, by, rubrics, signal: options.signal });
    process.stderr.write(`${judged} judged, ${left.length - judged} left, ${output}\n`);
    return 0;
  } finally {
    keys.close();
    await answers.close();
  }
}

async function chosenOf(options: ScoredEventsOptions): Promise<Chosen[]> {
  const { sample } = options.config.judge;
  const choose = chooser(sample, tagsOf(options.config.slices));
  const chosen: Chosen[] = [];
  const visit = (scored: Scored): void => {
    const one = choose(scored);
    if (one !== undefined) chosen.push(one);
  };
  await eachScored(options, visit, { onWithoutTruth: visit });
  return chosen;
}

/** The meaning of the scores, with truth and without. */
interface Rubrics {
  readonly given: string;
  readonly withoutTruth: string;
}

function rubricFor({ given, withoutTruth }: Rubrics, { hasTruth }: Chosen): string {
  return hasTruth ? given : withoutTruth;
}

function writeRubric(head: string, rubric: string): void {
  process.stderr.write(`${head}${rubric.split('\n').map(printable).join('\n')}\n`);
}

interface Walk {
  readonly keys: Keys;
  readonly answers: AnswerFile;
  readonly by: string;
  readonly rubrics: Rubrics;
  readonly signal: AbortSignal;
}

/** Asks for one after the other; resolves with how many were judged. */
async function walk(left: readonly Chosen[], { keys, answers, by, rubrics, signal }: Walk): Promise<number> {
  let judged = 0;
  for (const [at, chosen] of left.entries()) {
    process.stderr.write(`\n${at + 1} of ${left.length}\n${shown(chosen)}\n${help}: `);
    const key = await answerKey(keys, signal);
    process.stderr.write(`${key ?? 'q'}\n`);
    if (key === undefined) break;
    if (key === 's') continue;
    const rubric = rubricFor(rubrics, chosen);
    const record = {
      judgement: 'judge',
      id: judgementId(chosen, 'judge', by, rubric),
      ...chosen.fields,
      score: Number(key),
      scale,
      by,
      rubric: rubricHash(rubric),
      probability: chosen.probability,
      exact: chosen.exact,
      ...(!chosen.hasTruth && { reference: false }),
      reason: null,
      failed: null,
      cost: null,
    };
    await answers.add(record, hashOf(by, chosen.material.expected ?? null, chosen.material.predicted));
    judged++;
  }
  return judged;
}

/** A digit of the scale or `s`; undefined: enough. */
async function answerKey(keys: Keys, signal: AbortSignal): Promise<string | undefined> {
  for (;;) {
    const key = await keys.next(signal);
    if (key === undefined || key === 'q' || key === interrupt) return undefined;
    if (/^[1-7s]$/.test(key)) return key;
  }
}

function shown({ fields, material }: Chosen): string {
  const side = (name: string, value: Json): string[] => [name, ...indented(jsonText(value, 2))];
  const { example_id, model, agent } = fields;
  const lines = [
    `example ${example_id}  model ${model}  agent ${agent}`,
    ...(material.expected === undefined
      ? side('request', material.request ?? null)
      : side('expected', material.expected)),
    ...side('predicted', material.predicted),
  ];
  return lines.map(printable).join('\n');
}

function indented(text: string): string[] {
  return text.split('\n').map((line) => `  ${line}`);
}
