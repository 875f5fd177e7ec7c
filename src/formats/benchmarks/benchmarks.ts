import { isObject, type Json } from '../../scoring/json.ts';
import { jsonText } from '../json/json-text.ts';
import { shortened } from '../json/shortened.ts';
import { adk } from './adk.ts';
import { agentevals } from './agentevals.ts';
import type { Benchmark, TruthRow } from './benchmark.ts';
import { bfcl } from './bfcl.ts';
import { deepfabric } from './deepfabric.ts';
import { mcpeval } from './mcpeval.ts';
import { openaiEval } from './openai-eval.ts';
import { promptfoo } from './promptfoo.ts';
import { tau } from './tau.ts';
import { when2call } from './when2call.ts';
import { parsedOr } from '../json/parsed.ts';

/** By their names on the command line. */
export const benchmarks = {
  when2call,
  bfcl,
  tau,
  mcpeval,
  deepfabric,
  'openai-eval': openaiEval,
  promptfoo,
  agentevals,
  adk,
} satisfies Readonly<Record<string, Benchmark>>;

export type BenchmarkName = keyof typeof benchmarks;

/** Turns records of a benchmark into truth records, of which a part may lie in another file. */
export interface BenchmarkReader {
  /** The texts of its truth records; none where it has none, or where the other part is still to come. */
  read(text: string, number: number): { readonly texts: readonly string[] } | { readonly problem: string };
  /** The missing part of each row whose other part did not come. */
  lacking(): readonly string[];
}

/** A reader of the records of one benchmark, of all its files. */
export function benchmarkReader(name: BenchmarkName): BenchmarkReader {
  const parts = new Map<string, { readonly part: Partial<TruthRow>; readonly lacks: string }>();
  return {
    read(text, number) {
      const record = parsedOr(text);
      if (!isObject(record)) return { problem: `is ${shortened(record)}; ${name} has one JSON object a record` };
      const found = benchmarks[name].read(record, number);
      if ('problem' in found) return { problem: `${found.problem}, so it is no record of ${name}; check --from` };
      if ('row' in found) return { texts: found.row === undefined ? [] : [textOf(found.row)] };
      if ('rows' in found) return { texts: found.rows.map(textOf) };
      const { id, part, lacks } = found;
      const other = parts.get(id);
      if (other?.lacks === lacks) return { problem: `its id ${shortened(id)} came before; keep one of the two` };
      if (other === undefined) {
        parts.set(id, { part, lacks });
        return { texts: [] };
      }
      parts.delete(id);
      return { texts: [textOf({ example_id: id, ...other.part, ...part })] };
    },
    lacking: () => [...parts.values()].map(({ lacks }) => lacks),
  };
}

function textOf(row: TruthRow): string {
  return jsonText(row as unknown as Json);
}
