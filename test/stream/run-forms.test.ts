import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readerOf } from '../../src/config/settings.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import type { View } from '../../src/view/summary.ts';
import { prng } from '../sim/prng.ts';
import { configWith, foldingOf, recordAt, viewWith } from '../support/folding.ts';
import {
  answers,
  conventions,
  openInference,
  type RecordedRun,
  type TimedRecord,
  whole,
} from '../support/run-records.ts';

/* 200 recorded runs, written in each way in which programs write them and shuffled within 30 s, give one summary to the last bit. */

const truth = truthFromRecords(linesOf('tau-airline-truth'));
const runs = linesOf<Recorded>('tau-airline-predictions').map(recorded);
const seed = Math.floor(Math.random() * 2 ** 31);
const shuffleMs = 30_000;

const expected = viewOf(whole['native events']!);

for (const [form, write, settings] of [
  ['native events, shuffled', whole['native events']!, {}],
  ['lists of messages', whole['lists of messages']!, {}],
  ['answers of OpenAI, one conversation each', answers, { 'runs.by': '/conversation' }],
  ['answers of OpenAI, by example and run', answers, { 'runs.by': 'example' }],
  ['traces of the GenAI conventions', conventions, {}],
  ['traces of OpenInference', openInference, {}],
] as const)
  test(`${form}: the numbers of native events (SEED=${seed})`, () => {
    const { records, ...view } = viewOf(write, settings);
    const { records: native, ...others } = expected;
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

/** Runs begin 3 s apart; every fifth call failed. */
function recorded(
  { example_id: exampleId, tool_calls: calls = [], run, model, agent, success }: Recorded,
  number: number,
): RecordedRun {
  return {
    ...{ number, exampleId, run, model, agent, success, words: 'Is there anything else?' },
    startMs: Date.parse('2026-05-01T12:00:00Z') + 3_000 * number,
    calls: calls.map(({ name, arguments: given }, at) => ({
      ...{ name, arguments: given },
      result: { ok: (number + at) % 5 !== 4, text: `answer ${at}` },
    })),
  };
}

function viewOf(write: (run: RecordedRun) => readonly TimedRecord[], settings: Record<string, unknown> = {}): View {
  const random = prng(seed);
  const config = configWith({ 'input.format': 'auto', ...settings });
  const { state, apply, end } = foldingOf(config, truth, { reader: readerOf(config, false) });
  const sent = runs.flatMap(write).map((record) => ({ ...record, at: record.atMs + random.int(shuffleMs) }));
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
