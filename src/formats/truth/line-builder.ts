import { Buffer } from 'node:buffer';
import type { Json } from '../../scoring/json.ts';
import { jsonText } from '../json/json-text.ts';
import type { TruthBuilder } from './builder.ts';
import { callJson, callsJson } from './calls.ts';
import type { TruthRecord } from './record.ts';
import { toolJson } from './table.ts';

/** Lines of a piece: texts on the heap become bytes. */
const pieceLines = 4_096;

/** Collects truth records as NDJSON, in place of an Arrow table; what is not recorded is left out. */
export function truthLineBuilder(): TruthBuilder {
  const pieces: Buffer[] = [];
  const lines: string[] = [];
  const endPiece = (): void => void pieces.push(Buffer.from(lines.splice(0).join('')));
  const builder = {
    rows: 0,
    add(record: TruthRecord): void {
      builder.rows++;
      lines.push(`${truthLine(record)}\n`);
      if (lines.length === pieceLines) endPiece();
    },
    finish(): Uint8Array {
      endPiece();
      return Buffer.concat(pieces);
    },
  };
  return builder;
}

function truthLine(record: TruthRecord): string {
  const { example_id, label, tools, expected_tool_calls: calls, reference, alternatives, forbidden } = record;
  const given = {
    label,
    tools: tools?.map(({ name, parameters }) => toolJson(name, parameters)) ?? null,
    expected_tool_calls: calls?.map(callJson) ?? null,
    reference,
    alternatives: alternatives ? callsJson(alternatives) : null,
    forbidden: forbidden ?? null,
  };
  const recorded = Object.entries(given).filter(([, value]) => value !== null) as [string, Json][];
  return jsonText({ example_id, ...Object.fromEntries(recorded) });
}
