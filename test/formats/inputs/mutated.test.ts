import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect, isDeepStrictEqual } from 'node:util';
import type { InputOptions } from '../../../src/formats/inputs/input.ts';
import { type FormatName, forms } from '../../../src/formats/inputs/forms.ts';
import { recordReading } from '../../../src/formats/otlp/reading.ts';
import { byteReader, predictionReader } from '../../../src/formats/prediction/reader.ts';
import type { ReaderOptions } from '../../../src/formats/prediction/reader-options.ts';
import { decisionReading } from '../../../src/formats/prediction/decision-rules.ts';
import { prng, type Random } from '../../sim/prng.ts';
import { defaultLimits } from '../../support/event-reader.ts';
import { mutated } from '../../support/hostile-events.ts';
import { mutatedRecords } from '../../support/mutated-records.ts';
import { checkContents, recordsIn, rowsOf, textOf } from '../../support/reader-rows.ts';

/*
 * Whatever happens to a record of any form, it ends as events, rejects or spans that are passed over; the reader of bytes says the same of it as
 * the one that parses all; and equal hashes mean equal contents. `MUTATIONS=1000000` of each form for the soak, `FORMAT` for one alone.
 */

const mutations = Number(process.env['MUTATIONS'] ?? 2_400);
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const batch = 40;

type Options = Omit<InputOptions, 'format'>;
const none: Options = { response: undefined, request: undefined, fields: {} };
const beside: Options = { ...none, response: '/answer', request: '/request' };
const placed: Options = {
  response: '/answer',
  request: '/request',
  fields: {
    example_id: ['/answer/example_id', '/example_id', 'key'],
    run: '/metadata/run',
    model: ['/answer/model', '=constant'],
    label: ['/decision', '/label'],
    'tags.team': '/metadata/team',
  },
};
/** Events under names of others. */
const mapped: Options = {
  ...none,
  fields: {
    example_id: '/example_id',
    tool_calls: '/tool_calls',
    output: ['/content', '/output'],
    agent: '/metadata/team',
  },
};

for (const format of [...Object.keys(forms), 'auto', 'otlp'] as (FormatName | 'otlp')[])
  test(`mutated records of ${format}: seed ${seed}`, { skip: (process.env['FORMAT'] ?? format) !== format }, () => {
    const ways = format === 'otlp' ? [none] : format === 'mapping' ? [mapped, beside] : [none, beside, placed];
    for (const [at, way] of ways.entries()) {
      const random = prng(seed + at);
      // Decisions from words depend on the output.
      const decisionOf =
        at === 1
          ? decisionReading([
              { refused: true, label: 'cannot_answer' },
              { text: 'u', label: 'direct' },
            ])
          : undefined;
      const options: ReaderOptions = {
        tags: at === 2 ? [] : ['team', 'n'],
        maxFutureMs: undefined,
        limits: { ...defaultLimits, depth: at === 0 ? 64 : 12 },
        decisionOf,
        ...recordReading({ format, ...way, depth: at === 0 ? 64 : 12 }),
      };
      compare(
        options,
        Math.ceil(mutations / ways.length),
        mutatedRecords(format, way.response !== undefined, random),
        random,
      );
    }
  });

function compare(options: ReaderOptions, count: number, record: () => object, random: Random): void {
  const [fast, oracle] = [byteReader(options), predictionReader(options)];
  const seen = { accepted: 0, refused: 0, again: 0 };
  const contents = new Map<string, string>();
  for (let left = count; left > 0; left -= batch) {
    if (left % 4_000 === 0) contents.clear();
    const records = recordsIn(
      Array.from({ length: batch }, () => bytesOf(record(), random)),
      random,
    );
    const found = fast.read(records, 0, batch);
    seen.again += checkContents(found, contents);
    const passed = new Set(found.passedOver.map((one) => one.record));
    const rows = rowsOf(found, options.tags);
    for (const [at, one] of records.entries()) {
      const isThere = passed.has(at) || rows.some((row) => row.record === at);
      assert.ok(isThere || textOf(one).includes('resourceSpans'), textOf(one));
    }
    const wanted = rowsOf(oracle.read(records, 0, batch), options.tags);
    assert.equal(rows.length, wanted.length);
    for (const [at, row] of rows.entries()) {
      assert.ok(
        isDeepStrictEqual(row, wanted[at]),
        `${textOf(records[row.record]!)}\n${inspect([row, wanted[at]], { depth: 9 })}`,
      );
      seen['code' in row ? 'refused' : 'accepted']++;
    }
    records[0]!.bytes.fill(0x22);
  }
  const isHashed = options.plan !== undefined || options.bytes !== undefined;
  const least = isHashed ? count / 20 : 0;
  assert.ok(seen.accepted > count / 10 && seen.refused > count / 100 && seen.again >= least, JSON.stringify(seen));
}

/** A record as a text in which bytes may be damaged, or the value of a key be followed by another of the same key. */
function bytesOf(record: object, random: Random): Uint8Array {
  const bytes = Buffer.from(JSON.stringify(record));
  if (random.chance(0.04)) return mutated(random, bytes);
  if (random.chance(0.06)) return Buffer.from(bytes.toString().replace('{', `{${random.pick(twice)},`));
  return bytes;
}

const twice = [
  '"answer":{"id":"first"}',
  '"answer":null',
  '"metadata":{"run":9}',
  '"id":"first"',
  '"content":"u"',
  '"example_id":"first"',
];
