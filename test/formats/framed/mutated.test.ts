import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { schemaIdOf } from '../../../src/formats/framed/frame.ts';
import { missingSchema, valueReader } from '../../../src/formats/framed/registered.ts';
import { isRejected } from '../../../src/stream/event.ts';
import { eventReader, recordOf } from '../../support/event-reader.ts';
import { frameLimits, recordedFrames, registeredSchema } from '../../support/schema-registry.ts';

/* Whatever happens to the bytes of a frame, its record ends as one event or one reject. `MUTATIONS=1000000` for the soak. */

const numRuns = Number(process.env['MUTATIONS'] ?? 10_000);

const recorded = recordedFrames();
const readers = new Map(
  Object.keys(recorded.answers).flatMap((path) => {
    const id = Number(/^schemas\/ids\/(\d+)$/.exec(path)?.[1]);
    return id > 0 ? [[id, valueReader(id, registeredSchema(recorded, id))] as const] : [];
  }),
);
const values = Object.values(recorded.values).flatMap((some) => some.map((value) => Buffer.from(value, 'base64')));

/** Counts and lengths without end, negative ones, groups, fields of number 0. */
const hostile = fc.constantFrom(
  [0xfe, 0xff, 0xff, 0xff, 0x0f],
  [0xff, 0xff, 0xff, 0xff, 0x0f],
  [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
  [0x01],
  new Array<number>(20).fill(0x80),
  new Array<number>(300).fill(0x0b),
  new Array<number>(300).fill(0x0a),
  [0x0c],
  [0x00],
  [0xff],
);
const change = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('replace', 'insert', 'remove', 'cut', 'double'),
  bytes: fc.oneof(hostile, fc.array(fc.nat(255), { maxLength: 4 })),
});
type Change = { readonly at: number; readonly how: string; readonly bytes: readonly number[] };

/** The frame stays, or few would get any further. */
function changed(value: Buffer, { at, how, bytes }: Change): Buffer {
  const place = 5 + (at % Math.max(1, value.length - 5));
  const [before, after] = [value.subarray(0, place), value.subarray(place)];
  if (how === 'cut') return before;
  if (how === 'double') return Buffer.concat([before, after, after]);
  const rest = how === 'insert' ? after : after.subarray(how === 'remove' ? 1 + (at % 3) : bytes.length);
  return Buffer.concat([before, Buffer.from(how === 'remove' ? [] : bytes), rest]);
}

test('a mutated frame never throws, holds little, and ends as an event or a reject', () => {
  const seen = { accepted: 0, refused: new Map<string, number>(), longest: 0 };
  const reader = eventReader({ maxFutureMs: undefined });
  fc.assert(
    fc.property(fc.constantFrom(...values), fc.array(change, { maxLength: 3 }), (value, changes) => {
      const mutated = changes.reduce(changed, value);
      const record = recordOf(mutated);
      const id = schemaIdOf(record)!;
      record.opened = (readers.get(id) ?? missingSchema(id))(record, frameLimits);
      if (typeof record.opened === 'string') {
        const times = record.opened.length / mutated.length;
        // Field names: their text is longer than what stands for them.
        assert.ok(times < 25, `${mutated.length} bytes became ${record.opened.length} characters`);
        seen.longest = Math.max(seen.longest, times);
      }
      const { events } = reader.read(record);
      assert.equal(events.length, 1);
      const [event] = events;
      if (isRejected(event!)) {
        seen.refused.set(event.code, (seen.refused.get(event.code) ?? 0) + 1);
        assert.notEqual(event.detail, '');
      } else seen.accepted++;
    }),
    { numRuns },
  );
  const refused = [...seen.refused.values()].reduce((sum, count) => sum + count, 0);
  assert.equal(seen.accepted + refused, numRuns);
  for (const code of ['not_json', 'not_utf8']) assert.ok(seen.refused.has(code), code);
  assert.ok(seen.accepted > numRuns / 10 && refused > numRuns / 10, JSON.stringify([seen.accepted, ...seen.refused]));
});
