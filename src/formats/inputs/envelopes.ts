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
  { name: 'Filebeat', isOne: (record) => 'message' in record && isObject(record['@metadata']) },
  { name: 'Fluent Bit', isOne: (record) => typeof record['log'] === 'string' },
  { name: 'Vector', isOne: (record) => 'message' in record && 'source_type' in record },
];

/** Names the envelope that a record is, and the setting by which its sender leaves it out; undefined for any other record. */
export function envelopeOf(record: JsonObject): string | undefined {
  const found = envelopes.find(({ isOne }) => isOne(record));
  if (found === undefined) return undefined;
  return `the record is an envelope of ${found.name}${found.without === undefined ? '' : ` (its sender leaves it out with ${found.without})`}`;
}
