import type { Json } from '../../scoring/json.ts';
import { parseJson } from '../../scoring/parse-json.ts';
import { labelCode } from '../../scoring/label.ts';
import type { Truth } from '../../scoring/truth.ts';
import type { OverlayRow } from '../../stream/truth-overlay.ts';
import { decodeUtf8 } from '../bytes/utf8.ts';
import { jsonText } from '../json/json-text.ts';
import { shortened } from '../json/shortened.ts';
import { callJson, callsJson } from './calls.ts';
import { type TruthReader, truthReader, type TruthRecord } from './record.ts';
import { toolJson } from './table.ts';

/** The content of a truth topic's record on an example: its row, undefined where it deletes the row; or the problem of the record. */
export type TopicTruth =
  | { readonly exampleId: string; readonly row: OverlayRow | undefined }
  | { readonly problem: string };

/**
 * Reads a record of the compacted truth topic: the key is the example's id, the value a truth record (which may leave the id out), or
 * null to delete it. A value that was framed for a schema registry comes as its text.
 */
export function readTopicTruth(
  key: Uint8Array | null,
  value: Uint8Array | string | null,
  reader: TruthReader = truthReader(),
): TopicTruth {
  const exampleId = key === null ? undefined : decodeUtf8(key, 0, key.length);
  if (exampleId === undefined) return { problem: 'the key is no UTF-8 text; write the example_id there' };
  if (exampleId.startsWith('\0')) return { problem: framedKey };
  if (value === null) return { exampleId, row: undefined };
  const text = typeof value === 'string' ? value : decodeUtf8(value, 0, value.length);
  if (text === undefined) return { problem: `${shortened(exampleId)}: is no UTF-8; write it as UTF-8 text` };
  const record = reader.read(text, exampleId);
  if ('problem' in record) return { problem: `${shortened(exampleId)}: ${record.problem}` };
  if (record.example_id !== exampleId) {
    const problem = `its key is ${shortened(exampleId)}, its example_id ${shortened(record.example_id)}`;
    return { problem: `${problem}; write the example_id into the key` };
  }
  return { exampleId, row: rowOf(record) };
}

const framedKey =
  'the key begins with a byte 0, so it is framed for a schema registry; write the example_id as plain text there (a string serializer for keys)';

/** The truth of the text of a row that `readTopicTruth` made: equal to that of the same record in a file. */
export function truthOfRow(text: string): Truth {
  const { label, tools, expected, reference, alternatives, forbidden } = parseJson(text) as unknown as RowContent;
  return {
    label: label === null ? undefined : labelCode(label),
    tools: tools ?? undefined,
    expected: expected ?? undefined,
    reference: reference ?? undefined,
    ...(alternatives && { alternatives }),
    ...(forbidden && { forbidden }),
  };
}

/** The truth of a record, as it is scored against. */
export function truthOfRecord(record: TruthRecord): Truth {
  return truthOfRow(rowOf(record).text);
}

/** Null is "not recorded". */
interface RowContent {
  readonly label: string | null;
  readonly tools: Truth['tools'] | null;
  readonly expected: Truth['expected'] | null;
  readonly reference: Json;
  /** Absent where they are not recorded. */
  readonly alternatives?: Truth['alternatives'];
  readonly forbidden?: Truth['forbidden'];
}

function rowOf(record: TruthRecord): OverlayRow {
  const { example_id, label, tools, expected_tool_calls: calls, reference, alternatives, forbidden } = record;
  const content = {
    example_id,
    label,
    tools: tools?.map(({ name, parameters }) => toolJson(name, parameters)) ?? null,
    expected: calls?.map(callJson) ?? null,
    reference,
    ...(alternatives && { alternatives: callsJson(alternatives) }),
    ...(forbidden && { forbidden }),
  };
  return {
    text: jsonText(content satisfies Json),
    label: label === null ? -1 : labelCode(label),
    toolCount: tools?.length ?? -1,
  };
}
