import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type RecordOptions, recordReading, type SpanReading } from '../../../src/formats/otlp/reading.ts';
import { decisionReading } from '../../../src/formats/prediction/decision-rules.ts';
import { byteReader, predictionReader } from '../../../src/formats/prediction/reader.ts';
import type { ReaderOptions } from '../../../src/formats/prediction/reader-options.ts';
import type { EventBatch, LogRecord, Reader } from '../../../src/stream/event.ts';
import { prng } from '../../sim/prng.ts';
import { codesOf, defaultLimits, recordOf } from '../../support/event-reader.ts';
import { recordOfSpans } from '../../support/mutated-spans.ts';
import { attribute, documentOf, type JsonSpan, passedOverIn, protobufOf } from '../../support/otlp.ts';
import { checkContents, recordsIn, rowsOf, textOf } from '../../support/reader-rows.ts';

/*
 * Whatever happens to the bytes of a message, its record ends as events, rejects or spans that are passed over; the reader of bytes says the
 * same of it as the one that parses all; and equal hashes mean equal contents. `MUTATIONS=1000000` for the soak.
 */

const numRuns = Number(process.env['MUTATIONS'] ?? 20_000);
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));

const parts = [
  { type: 'text', content: 'hé' },
  { type: 'tool_call', name: 'f', arguments: { a: [1, null, { b: true }] } },
];
const messages = [{ role: 'assistant', parts, finish_reason: 'stop' }];

const spans: readonly JsonSpan[] = [
  { 'gen_ai.output.messages': messages },
  { 'gen_ai.output.messages': JSON.stringify(messages), 'assay.run': 3, 'error.type': 'x' },
  { 'gen_ai.completion.0.content': 'x', 'gen_ai.completion.0.tool_calls.0.name': 'f' },
].map((attributes, index) => ({
  traceId: '5b8efff798038103d269b633813fc60c',
  spanId: `eee19b7ec3c1b17${index}`,
  endTimeUnixNano: '1777593600123000000',
  attributes: Object.entries({ 'gen_ai.operation.name': 'chat', 'assay.example_id': 'e', ...attributes }).map(
    ([key, value]) => attribute(key, value),
  ),
  events: [{ name: 'gen_ai.choice', attributes: [attribute('message', { content: 'x' })] }],
  status: { code: 2, message: 'broke' },
}));
const other: JsonSpan = { name: 'GET', attributes: [attribute('http.method', 'GET')] };
const messagesOfSpans = [...spans.map((span) => [span]), [other], [...spans, other]].map((some) =>
  Buffer.from(protobufOf(documentOf(some))),
);

/** Lengths without end, numbers that are too long, groups, fields of number 0 and of other types. */
const hostile = fc.constantFrom(
  [0xff, 0xff, 0xff, 0xff, 0x0f],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
  new Array<number>(20).fill(0x80),
  new Array<number>(300).fill(0x0b),
  [0x0b, 0x0c],
  [0x0c],
  [0x00],
  [0x07],
  [0x0d, 1, 2],
);
const change = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('replace', 'insert', 'remove', 'cut', 'double'),
  bytes: fc.oneof(hostile, fc.array(fc.nat(255), { maxLength: 4 })),
});

test('mutated bytes never throw, and end as event, reject or span that is passed over', () => {
  const seen = { accepted: 0, refused: 0, ignored: 0 };
  const readers = (['otlp', 'auto'] as const).map((format) => bothReaders(optionsOf(format, {})));
  const bytesOf = fc.constantFrom(...messagesOfSpans);
  fc.assert(
    fc.property(bytesOf, fc.array(change, { maxLength: 3 }), fc.nat(1), (bytes, changes, format) => {
      const mutated = changes.reduce(changed, bytes);
      const batch = compared(readers[format]!, [recordOf(mutated)], []);
      if (mutated.length === 0) assert.deepEqual(codesOf(batch), ['not_json']);
      for (let row = 0; row < batch.count; row++) {
        if (batch.reject[row]! > 0) {
          seen.refused++;
          assert.notEqual(batch.rejectDetail(row), '');
          batch.elementText(row);
        } else {
          seen.accepted++;
          batch.prediction(row);
          batch.pendingText(row, 1_777_593_600_000);
        }
      }
      seen.ignored += passedOverIn(batch, 'spans_ignored');
    }),
    { numRuns },
  );
  for (const count of Object.values(seen)) assert.ok(count > numRuns / 20, JSON.stringify(seen));
});

const placed = {
  example_id: ['attribute:nowhere', 'attribute:assay.example_id', 'key'],
  agent: ['attribute:team', '=constant'],
  ts: 'attribute:at',
  event_id: 'attribute:assay.example_id',
  'tags.team': 'attribute:team',
};
const decisionOf = decisionReading([{ text: 'u', label: 'direct' }]);

for (const [name, more] of [
  ['as they are', optionsOf('otlp', {})],
  ['of any form', optionsOf('auto', {})],
  ['with places', { ...optionsOf('otlp', placed), tags: ['team'] }],
  ['with decisions from words', { ...optionsOf('otlp', {}), decisionOf }],
  ['within narrow limits', { ...optionsOf('otlp', {}, 12), limits: { ...defaultLimits, depth: 12, elements: 2 } }],
] as const)
  test(`both readers agree on spans ${name}: seed ${seed}`, () => {
    const random = prng(seed);
    const readers = bothReaders(more);
    const contents = new Map<string, string>();
    const seen = { accepted: 0, refused: 0, again: 0, ignored: 0 };
    for (let left = numRuns / 10; left > 0; left -= 20) {
      const values = Array.from({ length: 20 }, () =>
        recordOfSpans(random, (bytes) => changed(bytes, { at: random.int(2 ** 31), ...random.pick(damages) })),
      );
      const batch = compared(readers, recordsIn(values, random), more.tags);
      seen.again += checkContents(batch, contents);
      seen.ignored += passedOverIn(batch, 'spans_ignored');
      for (const code of codesOf(batch)) seen[code === '' ? 'accepted' : 'refused']++;
    }
    const all = JSON.stringify({ ...seen, parsed: readers.parsed() });
    for (const count of Object.values(seen)) assert.ok(count > numRuns / 1_000, all);
    assert.ok(readers.parsed() < 0.6 * (seen.accepted + seen.refused), all);
  });

const damages = ['replace', 'insert', 'remove', 'cut', 'double'].flatMap((how) =>
  [[0xff], [0x22], [0x5c, 0x75], [0x7d], [0x0a, 0x03], [0x80], []].map((bytes) => ({ how, bytes })),
);

function optionsOf(format: 'otlp' | 'auto', fields: RecordOptions['fields'], depth = 64): ReaderOptions {
  const reading = recordReading({ format, response: undefined, request: undefined, fields, depth });
  return { tags: [], maxFutureMs: undefined, limits: defaultLimits, ...reading };
}

interface Readers {
  readonly fast: Reader;
  readonly oracle: Reader;
  /** How many spans the fast one had parsed to fill their columns. */
  parsed(): number;
  counting: boolean;
}

function bothReaders(options: ReaderOptions): Readers {
  let parsed = 0;
  const spanAt: SpanReading['spanAt'] = (record, place) => {
    if (readers.counting) parsed++;
    return options.spans!.spanAt(record, place);
  };
  const fast = byteReader({ ...options, spans: { ...options.spans!, spanAt } });
  const readers: Readers = { fast, oracle: predictionReader(options), parsed: () => parsed, counting: false };
  return readers;
}

/** Reads records by both, which must say the same. Gives what the fast one said. */
function compared(readers: Readers, records: readonly LogRecord[], tags: readonly string[]): EventBatch {
  readers.counting = true;
  const batch = readers.fast.read(records, 0, records.length);
  readers.counting = false;
  const wanted = readers.oracle.read(records, 0, records.length);
  const lost = wanted.passedOver.find(({ record }, at) => batch.passedOver[at]?.record !== record);
  assert.deepEqual(batch.passedOver, wanted.passedOver, lost && textOf(records[lost.record]!));
  const [rows, others] = [rowsOf(batch, tags), rowsOf(wanted, tags)];
  for (let row = 0; row < Math.max(rows.length, others.length); row++)
    if (!isDeepStrictEqual(rows[row], others[row])) {
      const { record } = (rows[row] ?? others[row])!;
      assert.deepEqual(rows[row], others[row], textOf(records[record]!));
    }
  for (const [row, code] of codesOf(batch).entries())
    if (code !== '') assert.equal(batch.elementText(row), wanted.elementText(row));
  return batch;
}

function changed(bytes: Buffer, { at, how, bytes: given }: { at: number; how: string; bytes: number[] }): Buffer {
  const place = at % (bytes.length + 1);
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
  if (how === 'cut') return before;
  if (how === 'double') return Buffer.concat([before, after, after]);
  const skipped = how === 'insert' ? 0 : Math.max(1, given.length);
  return Buffer.concat([before, how === 'remove' ? Buffer.alloc(0) : Buffer.from(given), after.subarray(skipped)]);
}
