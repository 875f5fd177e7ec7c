import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { labelCode } from '../../scoring/label.ts';
import type { ExpectedCall, Truth } from '../../scoring/truth.ts';
import type { OverlayRow } from '../../stream/truth-overlay.ts';
import { jsonText } from '../json/json-text.ts';
import { shortened } from '../json/shortened.ts';
import { readTruthRecord, type TruthRecord, type TruthTool } from './record.ts';
import { decodeUtf8 } from '../bytes/utf8.ts';

/** What a record of the truth topic says of an example: its row, or undefined that it has none; or what is wrong with the record. */
export type TopicTruth =
  | { readonly exampleId: string; readonly row: OverlayRow | undefined }
  | { readonly problem: string };

/**
 * Reads a record of the compacted truth topic: the key is the example's id, the value a truth record (which may leave the id out), or
 * null to delete it.
 */
export function readTopicTruth(key: Uint8Array | null, value: Uint8Array | null): TopicTruth {
  const exampleId = key === null ? undefined : decodeUtf8(key, 0, key.length);
  if (exampleId === undefined) return { problem: 'the key is no UTF-8 text; write the example_id there' };
  if (value === null) return { exampleId, row: undefined };
  const text = decodeUtf8(value, 0, value.length);
  if (text === undefined) return { problem: `${shortened(exampleId)}: is no UTF-8; write it as UTF-8 text` };
  let record = readTruthRecord(text);
  if ('problem' in record) record = readTruthRecord(withKey(text, exampleId));
  if ('problem' in record) return { problem: `${shortened(exampleId)}: ${record.problem}` };
  if (record.example_id !== exampleId) {
    const problem = `its key is ${shortened(exampleId)}, its example_id ${shortened(record.example_id)}`;
    return { problem: `${problem}; write the example_id into the key` };
  }
  return { exampleId, row: rowOf(record) };
}

/** The truth of the text of a row that `readTopicTruth` made: what the same record gives in a file. */
export function truthOfRow(text: string): Truth {
  const { label, tools, expected, reference } = JSON.parse(text) as RowContent;
  return {
    label: label === null ? undefined : labelCode(label),
    tools: tools ?? undefined,
    expected: expected ?? undefined,
    reference: reference ?? undefined,
  };
}

interface RowContent {
  readonly example_id: string;
  readonly label: string | null;
  readonly tools: readonly Json[] | null;
  readonly expected: readonly ExpectedCall[] | null;
  readonly reference: Json;
}

function rowOf({ example_id, label, tools, expected_tool_calls, reference }: TruthRecord): OverlayRow {
  const content: RowContent = {
    example_id,
    label,
    tools: tools?.map(toolOf) ?? null,
    expected:
      expected_tool_calls?.map(({ name, arguments: given }) => ({
        name,
        arguments: typeof given === 'string' ? (JSON.parse(given) as JsonObject) : given,
      })) ?? null,
    reference,
  };
  return {
    text: jsonText(content as unknown as Json),
    label: label === null ? -1 : labelCode(label),
    toolCount: tools?.length ?? -1,
  };
}

/** A name alone where no parameters are recorded; explicit null is recorded. */
function toolOf({ name, parameters }: TruthTool): Json {
  if (parameters === undefined) return name ?? {};
  return name === undefined ? { parameters } : { name, parameters };
}

/** The record with the id that its key gives, where it has none of its own. */
function withKey(text: string, exampleId: string): string {
  try {
    const value = JSON.parse(text) as Json;
    if (isObject(value) && (value['example_id'] ?? null) === null) return jsonText({ ...value, example_id: exampleId });
  } catch {
    // What is wrong with it was found already.
  }
  return text;
}
