import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RegisteredSchema, schemaIdOf } from '../../../src/formats/framed/frame.ts';
import { valueReader } from '../../../src/formats/framed/registered.ts';
import type { EventBatch } from '../../../src/stream/event.ts';
import { codesOf, eventReader, recordOf } from '../../support/event-reader.ts';
import { frameLimits, type RecordedFrames, recordedFrames, registeredSchema } from '../../support/schema-registry.ts';

/* Values of Confluent's own client say what the native events that they were written from say. */

const recorded = recordedFrames();
const reader = eventReader({ maxFutureMs: undefined });

/** All that is read of one event. */
function contentOf(batch: EventBatch): unknown {
  assert.deepEqual(codesOf(batch), ['']);
  const { ts, run, label, model, names } = batch;
  const { output, ...prediction } = batch.prediction(0);
  const columns = [batch.exampleId(0), ts[0], run[0], label[0], names.text(model[0]!)];
  return JSON.parse(JSON.stringify({ columns, prediction, output }));
}

const native = recorded.events.map((event) => contentOf(reader.read([recordOf(JSON.stringify(event))], 0, 1)));

function contentsOf(form: string, schemaOf: (id: number) => RegisteredSchema): unknown[] {
  return recorded.values[form]!.map((value) => {
    const record = recordOf(Buffer.from(value, 'base64'));
    const id = schemaIdOf(record)!;
    record.opened = valueReader(id, schemaOf(id))(record, frameLimits);
    return contentOf(reader.read([record], 0, 1));
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
    const batch = reader.read([recordOf(Buffer.from(value, 'base64'))], 0, 1);
    assert.match(
      batch.rejectDetail(0),
      /^the record is not JSON but begins as a value .* \(kafka\.schema_registry\.url\)$/,
    );
  }
});
