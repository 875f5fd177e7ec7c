import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byteReader } from '../../../src/formats/prediction/reader.ts';
import type { Prediction } from '../../../src/scoring/prediction.ts';
import { prng } from '../../sim/prng.ts';
import { defaultLimits } from '../../support/event-reader.ts';

const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const reader = byteReader({ tags: [], maxFutureMs: undefined, limits: defaultLimits });

/** Hash and content of the event that a text of fields makes, and whether its output belongs to it. */
function read(fields: string): { readonly hash: string; readonly output: string; readonly prediction: Prediction } {
  const bytes = Buffer.from(`{"example_id":"e",${fields}}`);
  const batch = reader.read([{ bytes, start: 0, end: bytes.length, offset: 0, timestamp: 1.78e12 }], 0, 1);
  assert.deepEqual([batch.count, batch.hashed[0]], [1, 1], fields);
  const { output, ...prediction } = batch.prediction(0);
  const words = (from: number): string => batch.content.subarray(from, from + 4).join();
  return { hash: words(0), output: words(4), prediction: { ...prediction, output } };
}

const calls = (...of: string[]): string => `"tool_calls":[${of.join()}]`;
const hash = (fields: string): string => read(fields).hash;

test('ids of calls are not hashed, and everything else is', () => {
  const one = hash(calls('{"id":"call_1","name":"f","arguments":{"id":"x"}}'));
  assert.equal(hash(calls('{"id":"another \\" one","name":"f","arguments":{"id":"x"}}')), one);
  assert.equal(hash(calls('{"id":"","name":"f","arguments":{"id":"x"}}')), one);
  const others = [
    '{"id":"call_1","name":"g","arguments":{"id":"x"}}',
    '{"id":"call_1","name":"f","arguments":{"id":"y"}}',
    '{"ID":"call_1","name":"f","arguments":{"id":"x"}}',
    '{"x\\"id":"call_1","name":"f","arguments":{"id":"x"}}',
    '{"id":1,"name":"f","arguments":{"id":"x"}}',
    '{"name":"f","arguments":{"id":"x"}}',
    '{"name":"id","arguments":{"id":"call_1"}}',
    '{"name":"f","arguments":{"id":"x"},"id":"call_1"}',
  ];
  assert.equal(new Set([one, ...others.map((call) => hash(calls(call)))]).size, others.length + 1);
});

test('the ids of many calls are left out; those of another field, of an earlier `tool_calls` or behind the 64th are not', () => {
  const many = (count: number, id: string): string =>
    calls(...Array.from({ length: count }, (_, at) => `{"id":"${id}${at}","name":"f"}`));
  assert.equal(hash(many(64, 'a')), hash(many(64, 'bcd')));
  assert.notEqual(hash(many(65, 'a')), hash(many(65, 'b')));
  assert.notEqual(hash(`"tools":[{"id":"a"}]`), hash(`"tools":[{"id":"b"}]`));
  assert.equal(hash(`${calls('{"id":"a"}')},${calls('{"name":"f"}')}`), hash(calls('{"name":"f"}')));
  assert.equal(hash(`${calls('{"id":"a"}')},"all":[{"id":"b"}]`), hash(`${calls('{"id":"c"}')},"all":[{"id":"d"}]`));
});

test(`equal hashes, equal content: seed ${seed}`, () => {
  const random = prng(seed);
  const known = new Map<string, string>();
  const text = (): string => random.pick(['a', 'b', 'id', '\\"id', '']);
  const member = (): string => `"${random.pick(['id', 'id', 'name', 'arguments', 'x'])}":${value(2)}`;
  const value = (depth: number): string => {
    const kind = depth === 0 ? 0 : random.int(4);
    if (kind < 2) return random.pick([`"${text()}"`, `"${text()}"`, '1', 'null']);
    const inner = Array.from({ length: random.int(3) }, () => (kind === 2 ? value(depth - 1) : member()));
    return kind === 2 ? `[${inner.join()}]` : `{${inner.join()}}`;
  };
  let met = 0;
  for (let left = 20_000; left > 0; left--) {
    const list = Array.from(
      { length: random.int(3) },
      () => `{${member()}${random.chance(0.5) ? `,${member()}` : ''}}`,
    );
    const fields = `${random.pick(['', '"label":"direct",', '"error":"a",'])}${calls(...list)},"output":${value(1)}`;
    const { hash: words, output, prediction } = read(fields);
    const { calls: given, ...rest } = prediction;
    const kept = given!.map(({ name, arguments: args }) => ({ name: name ?? null, args: args ?? null }));
    const content = JSON.stringify([kept, rest]);
    const before = known.get(`${words} ${output}`);
    if (before !== undefined) met++;
    assert.equal(before ?? content, content, fields);
    known.set(`${words} ${output}`, content);
  }
  assert.ok(met > 1_000, `${met} met again`);
});
