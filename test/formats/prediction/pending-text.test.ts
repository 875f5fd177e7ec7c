import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Event } from '../../../src/stream/event.ts';
import { defaultLimits, eventOf, eventReader, readAgain, readOne, recordTime } from '../../support/event-reader.ts';

const options = { dimensions: ['model', 'agent', 'tags.region', 'tags.__proto__'], maxFutureMs: undefined };

/** All that the rest of the program can see of an event, besides its native form. */
function seen({ given: _, oddities, prediction, ...event }: Event): unknown {
  const calls = prediction.calls?.map(({ name, arguments: args }) => ({ name, arguments: args }));
  return { ...event, prediction: { ...prediction, calls }, label: oddities?.label };
}

/** Reads an event, and again from the text that is kept of it, which is returned. */
function sameAgain(value: string, key: Uint8Array | null = null): string {
  const event = eventOf(readOne(value, { key }, options));
  assert.deepEqual(seen(readAgain(event, options)), seen(event));
  return eventReader(options).textOf(event, event.ts);
}

const events: readonly string[] = [
  '{"example_id":"e"}',
  '{"example_id":"e","event_id":"i","ts":"2026-05-01T00:00:00Z","model":"m","agent":"","run":3,"label":"nonsense","error":"","success":false}',
  '{"example_id":"e","tags":{"region":1.0,"__proto__":true,"other":"x"},"label":"direct","unknown":[1]}',
  '{"example_id":"e","tool_calls":[]}',
  '{"example_id":"e","tool_calls":[{"name":"f","arguments":{},"id":"1"}]}',
  '{"example_id":"e","tool_calls":[{},{"name":5,"arguments":[1]},{"name":"f","arguments":"{\\"a\\":"},{"name":"g","id":"x","arguments":null}]}',
  '{"example_id":"e","tool_calls":[{"name":"f","arguments":{"__proto__":1,"a":[null,1e999,-1e999,"\\ud800"]}}]}',
  '{"example_id":"e","tools":["f",{"name":"g","parameters":null},{"type":"function","function":null}]}',
  '{"example_id":"e","output":"text"}',
  '{"example_id":"e","output":{"a":null}}',
  '{"example_id":"e","output":false}',
  '{"example_id":"\\ud83d\\ude00"}',
  '{"example_id":"e","tool_calls":[{"name":"f","arguments":{"id":1234567890123456789}}],"tags":{"region":12345678901234567.25}}',
];
for (const value of events)
  test(`reading again gives the same event: ${value.slice(0, 70)}`, () => void sameAgain(value));

test('what the key gave is kept', () =>
  assert.equal(
    sameAgain('{"label":null}', Buffer.from('k')),
    `{"example_id":"k","ts":${recordTime},"model":"unknown","agent":"unknown"}`,
  ));

test('only what is known is kept, compactly', () => {
  const text = sameAgain(
    '{"x": 1, "example_id": "e", "tags": {"y": 1}, "tool_calls": [{"id": "1", "name": "f", "z": 2, "arguments": null}], "model": "m", "label": null}',
  );
  assert.equal(text, `{"example_id":"e","ts":${recordTime},"model":"m","agent":"unknown","tool_calls":[{"name":"f"}]}`);
});

test('arguments given as text may nest deeper than any limit', () => {
  const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
  const value = JSON.stringify({ example_id: 'e', tool_calls: [{ name: 'f', arguments: deep }] });
  const event = eventOf(readOne(value, {}, { limits: { ...defaultLimits, values: 200_000 } }));
  assert.ok(event.prediction.calls?.[0]?.arguments);
  assert.ok(readAgain(event).prediction.calls?.[0]?.arguments);
});

test('a text that became longer than a record may be is read again', () => {
  const numbers = `[${new Array(1000).fill('1e20').join(',')}]`;
  const value = `{"example_id":"e","output":${numbers}}`;
  const limits = { recordBytes: value.length, depth: 64, elements: 10, calls: 10, values: 2_000 };
  const reader = eventReader({ limits });
  const event = eventOf(readOne(value, {}, { limits }));
  const text = reader.textOf(event, recordTime);
  assert.ok(text.length > value.length);
  assert.deepEqual(reader.readText(text, 0, -1).prediction, event.prediction);
});

test('reading again gives the same event, whatever it holds', () => {
  const call = fc.record(
    { name: fc.jsonValue(), arguments: fc.oneof(fc.jsonValue(), fc.json()), id: fc.string() },
    { requiredKeys: [] },
  );
  const id = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  const event = fc.record(
    {
      example_id: id,
      event_id: fc.option(id),
      ts: fc.option(fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2100, 0, 1) })),
      model: fc.option(fc.string({ maxLength: 20 })),
      tags: fc.option(fc.dictionary(fc.constantFrom('region', 'other'), fc.jsonValue())),
      run: fc.option(fc.nat()),
      label: fc.option(fc.oneof(fc.string(), fc.constantFrom('direct', 'tool_call'))),
      tool_calls: fc.option(fc.array(call, { maxLength: 4 })),
      tools: fc.option(fc.array(fc.oneof(fc.string(), fc.dictionary(fc.string(), fc.jsonValue())), { maxLength: 3 })),
      output: fc.jsonValue(),
      error: fc.option(fc.string()),
      success: fc.option(fc.boolean()),
    },
    { requiredKeys: ['example_id'] },
  );
  fc.assert(fc.property(event, (one) => void sameAgain(JSON.stringify(one))));
});
