import { firstAt, objectAt, partsUnder, type Platform, readingOf } from './platform.ts';

/**
 * Langfuse: items of datasets (`expectedOutput`) and scores, as the API, the SDKs and the export to blob storage write them (camel or snake case).
 * A score is truth where it is a correction. The example is `metadata.example_id`, else the item, the observation or the trace.
 */
export const langfuse: Platform = {
  parts: (record) => partsUnder(record, 'data', 'items'),
  read(part) {
    const own = objectAt(part, 'metadata')['example_id'];
    const type = firstAt(part, 'dataType', 'data_type');
    const changed = firstAt(part, 'updatedAt', 'updated_at', 'timestamp');
    if (type !== undefined) {
      if (type !== 'CORRECTION') return { lack: 'verdict' };
      const corrected = firstAt(part, 'stringValue', 'string_value', 'longStringValue', 'long_string_value', 'value');
      const about = firstAt(part, 'observationId', 'observation_id', 'traceId', 'trace_id');
      return readingOf(own ?? objectAt(part, 'subject')['id'] ?? about, corrected, { changed });
    }
    if (part['status'] === 'ARCHIVED') return { lack: 'archived' };
    const isItem = 'expectedOutput' in part || 'expected_output' in part;
    if (!isItem) return { lack: 'name' in part && 'value' in part ? 'verdict' : 'other' };
    const answer = firstAt(part, 'expectedOutput', 'expected_output');
    return readingOf(own ?? part['id'], answer, { input: part['input'], changed });
  },
};
