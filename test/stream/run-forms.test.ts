import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readerOf } from '../../src/config/settings.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { prng } from '../sim/prng.ts';
import { configWith, foldingOf, type ReadView, recordAt, viewWith } from '../support/folding.ts';
import {
  answers,
  conventions,
  openInference,
  type RecordedRun,
  type TimedRecord,
  whole,
} from '../support/run-records.ts';
import { seed } from '../support/seed.ts';

/* 200 recorded runs, written in each way in which programs write them and shuffled within 30 s, give one summary to the last bit. A third of them ends in a call
 * with its result, a third in one without. */

const truth = truthFromRecords(linesOf('tau-airline-truth'));
const runs = linesOf<Recorded>('tau-airline-predictions').map(recorded);
const shuffleMs = 30_000;

for (const [form, write, settings, of = runs] of [
  ['native events, shuffled', whole['native events']!, {}],
  ['lists of messages', whole['lists of messages']!, {}],
  ['answers of OpenAI, one conversation each', answers, { 'runs.by': '/conversation' }, runs.map(asAsked)],
  ['answers of OpenAI, by example and run', answers, { 'runs.by': 'example' }, runs.map(asAsked)],
  ['traces of the GenAI conventions', conventions, {}],
  ['traces of OpenInference', openInference, {}],
] as const)
  test(`${form}: the numbers of native events (SEED=${seed})`, () => {
    const { records, ...view } = viewOf(of.flatMap(write), settings);
    const { records: native, ...others } = viewOf(of.flatMap(whole['native events']!));
    assert.deepEqual([records.scored, records.open_runs, native.scored], [200, 0, 200]);
    assert.equal(records.read - records.steps + records.runs, 200);
    assert.deepEqual(view.groups, others.groups);
  });

interface Recorded {
  readonly example_id: string;
  readonly run: number;
  readonly model: string;
  readonly agent: string;
  readonly success: boolean;
  readonly tool_calls?: readonly {
    readonly name: string;
    readonly arguments: RecordedRun['calls'][number]['arguments'];
  }[];
}

/** Runs begin 3 s apart; every fifth call failed. Of three runs with calls one ends in words, one in a call, one in the result of a call. */
function recorded(
  { example_id: exampleId, tool_calls: calls = [], run, model, agent, success }: Recorded,
  number: number,
): RecordedRun {
  const end = calls.length === 0 ? 'words' : (['words', 'call', 'result'] as const)[number % 3]!;
  const words = end === 'words' ? 'Is there anything else?' : undefined;
  return {
    ...{ number, exampleId, run, model, agent, success, words },
    startMs: Date.parse('2026-05-01T12:00:00Z') + 3_000 * number,
    calls: calls.map(({ name, arguments: given }, at) => ({
      ...{ name, arguments: given },
      ...(!(end === 'call' && at === calls.length - 1) && {
        result: { ok: (number + at) % 5 !== 4, text: `answer ${at}` },
      }),
    })),
  };
}

/** A run as its requests and answers tell it: no request repeats what came back for a call that is its last step. */
function asAsked({ calls, words, ...run }: RecordedRun): RecordedRun {
  const withoutResult = ({ name, arguments: given }: RecordedRun['calls'][number]) => ({ name, arguments: given });
  const told = words === undefined ? [...calls.slice(0, -1), ...calls.slice(-1).map(withoutResult)] : calls;
  return { ...run, words, calls: told };
}

function viewOf(records: readonly TimedRecord[], settings: Record<string, unknown> = {}): ReadView {
  const random = prng(seed);
  const config = configWith({ 'input.format': 'auto', ...settings });
  const { state, apply, end } = foldingOf(config, truth, { reader: readerOf(config, false) });
  const sent = records.map((record) => ({ ...record, at: record.atMs + random.int(shuffleMs) }));
  apply(sent.sort((a, b) => a.at - b.at).map(({ value }, offset) => recordAt(value, offset)));
  end();
  return viewWith(config, [state], state.numbers.greatestTs);
}

function linesOf<Line>(name: string): Line[] {
  const file = new URL(`../../../test/fixtures/traffic/${name}.ndjson`, import.meta.url);
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}
