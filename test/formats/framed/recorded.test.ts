import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RegisteredSchema, schemaIdOf } from '../../../src/formats/framed/frame.ts';
import { valueReader } from '../../../src/formats/framed/registered.ts';
import type { LogRecord } from '../../../src/stream/event.ts';
import { eventOf, eventReader, recordOf, rejectedOf } from '../../support/event-reader.ts';
import { frameLimits, type RecordedFrames, recordedFrames, registeredSchema } from '../../support/schema-registry.ts';

/* Values of Confluent's own client say what the native events that they were written from say. */

const recorded = recordedFrames();
const reader = eventReader({ maxFutureMs: undefined });

/** All that is read of a record with one event. */
function contentOf(record: LogRecord): unknown {
  const { events } = reader.read(record);
  assert.equal(events.length, 1);
  const { exampleId, ts, run, model, prediction } = eventOf(events);
  return JSON.parse(JSON.stringify({ exampleId, ts, run, model, prediction }));
}

const native = recorded.events.map((event) => contentOf(recordOf(JSON.stringify(event))));

function contentsOf(form: string, schemaOf: (id: number) => RegisteredSchema): unknown[] {
  return recorded.values[form]!.map((value) => {
    const record = recordOf(Buffer.from(value, 'base64'));
    const id = schemaIdOf(record)!;
    record.opened = valueReader(id, schemaOf(id))(record, frameLimits);
    return contentOf(record);
  });
}

for (const form of ['avro', 'protobuf', 'json'])
  test(`${form}: events are those that were framed`, () => {
    assert.deepEqual(
      contentsOf(form, (id) => registeredSchema(recorded, id)),
      native,
    );
  });

test('files of Protobuf as text mean the same as their descriptors', () => {
  assert.deepEqual(
    contentsOf('protobuf', (id) => asText(recorded, registeredSchema(recorded, id))),
    native,
  );
});

/** Confluent's registry gives files as text, whatever it was given. */
function asText({ texts }: RecordedFrames, { type, references }: RegisteredSchema): RegisteredSchema {
  return { type, schema: texts['']!, references: references.map(({ name }) => ({ name, schema: texts[name]! })) };
}

test('a frame that nobody opens is refused with its remedy', () => {
  for (const value of [recorded.values['avro']![0]!, recorded.values['json']![0]!]) {
    const { events } = reader.read(recordOf(Buffer.from(value, 'base64')));
    assert.match(
      rejectedOf(events).detail,
      /^the record is not JSON but begins as a value .* \(kafka\.schema_registry\.url\)$/,
    );
  }
});
