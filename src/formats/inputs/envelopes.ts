import { isObject, type JsonObject } from '../../scoring/json.ts';

/** An envelope that a shipper of records puts around their content. */
interface Envelope {
  readonly name: string;
  readonly isOne: (record: JsonObject) => boolean;
  /** How its sender leaves it out; absent where it cannot. */
  readonly without?: string;
}

const envelopes: readonly Envelope[] = [
  {
    name: 'Debezium',
    isOne: (record) => 'op' in record && 'after' in record,
    without: 'transforms.unwrap.type=io.debezium.transforms.ExtractNewRecordState',
  },
  {
    name: 'Kafka Connect',
    isOne: (record) => 'payload' in record && (record['schema'] === null || isObject(record['schema'])),
    without: 'value.converter.schemas.enable=false',
  },
  { name: 'CloudEvents', isOne: ({ specversion }) => typeof specversion === 'string' },
  {
    name: 'Filebeat',
    isOne: (record) => 'message' in record && (isObject(record['@metadata']) || isObject(record['agent'])),
  },
  { name: 'Fluent Bit', isOne: (record) => typeof record['log'] === 'string' },
  { name: 'Vector', isOne: (record) => 'message' in record && 'source_type' in record },
];

/** Names the envelope or encoding of a record, and the setting by which its sender leaves it out; undefined for any other record. */
export function envelopeOf(record: JsonObject): string | undefined {
  if (Object.values(record).some(isAvroText))
    return 'its values are in the JSON encoding of Avro, such as {"string": "…"}: write plain JSON, or send Avro framed for a schema registry';
  const found = envelopes.find(({ isOne }) => isOne(record));
  if (found === undefined) return undefined;
  return `the record is an envelope of ${found.name}${found.without === undefined ? '' : ` (its sender leaves it out with ${found.without})`}`;
}

/** In that encoding the value of a union is an object whose key is its type. */
function isAvroText(value: unknown): boolean {
  return isObject(value) && typeof value['string'] === 'string' && Object.keys(value).length === 1;
}
