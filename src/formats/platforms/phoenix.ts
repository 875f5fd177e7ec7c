import { isObject, type JsonObject } from '../../scoring/json.ts';
import { labels } from '../../scoring/label.ts';
import { parsedOr } from '../json/parsed.ts';
import { firstAt, objectAt, partsUnder, type Platform, type Reading, readingOf } from './platform.ts';

/**
 * Phoenix: examples of datasets (`input`, `output`; in a CSV file `input_…` and `output_…`), and annotations of spans. An annotation is truth where its label is
 * one of the four decisions, or its explanation or metadata hold the right answer. The example is `metadata.example_id`, else the example or the span.
 */
export const phoenix: Platform = {
  parts(record) {
    const { data } = record;
    return partsUnder(isObject(data) ? data : record, 'data', 'examples');
  },
  read(part) {
    const isAnnotation = 'annotator_kind' in part || 'annotation_name' in part;
    if (isAnnotation) return readAnnotation(part);
    const output = underPrefix(part, 'output');
    const input = underPrefix(part, 'input');
    if (output === undefined && input === undefined) return { lack: 'other' };
    const metadata = underPrefix(part, 'metadata');
    const own = isObject(metadata) ? metadata['example_id'] : undefined;
    return readingOf(own ?? firstAt(part, 'id', 'example_id', 'node_id'), output, {
      input,
      changed: part['updated_at'],
    });
  },
};

/** The value of a column, or those of its columns by what follows its name: `output_answer` is `answer` of `output`. */
function underPrefix(part: JsonObject, name: string): unknown {
  if (part[name] !== undefined) return parsedOr(part[name]);
  const columns = Object.entries(part).filter(([key]) => key.startsWith(`${name}_`));
  if (columns.length === 0) return undefined;
  const filled = columns.filter(([, value]) => value !== null && value !== '');
  return Object.fromEntries(filled.map(([key, value]) => [key.slice(name.length + 1), parsedOr(value)]));
}

function readAnnotation(part: JsonObject): Reading {
  const result = 'result' in part ? objectAt(part, 'result') : part;
  const metadata = objectAt(part, 'metadata');
  const { label, explanation } = result;
  const corrected = firstAt(metadata, 'expected_tool_calls', 'expected_output', 'expected', 'correction');
  const isDecision = labels.includes(label as never);
  const explained = typeof parsedOr(explanation) === 'object' ? explanation : undefined;
  const answer = corrected ?? (isDecision ? label : (explained ?? undefined));
  if (answer === undefined) return { lack: 'verdict' };
  const id = metadata['example_id'] ?? firstAt(part, 'span_id', 'trace_id');
  return readingOf(id, answer, { changed: firstAt(part, 'updated_at', 'created_at') });
}
