import { firstAt, objectAt, partsUnder, type Platform, readingOf } from './platform.ts';

/**
 * Opik: items of datasets, as `to_json` of the SDK and the API (`data`) write them. The example is `metadata.example_id`, else the id of the
 * item, which experiments have as `dataset_item_id`.
 */
export const opik: Platform = {
  parts: (record) => partsUnder(record, 'content', 'items'),
  read(part) {
    const item = { ...part, ...objectAt(part, 'data') };
    const calls = firstAt(item, 'expected_tool_calls', 'expected_tools');
    const output = firstAt(item, 'expected_output', 'expected', 'reference');
    const answer = calls === undefined ? output : { expected_tools: calls };
    const isItem = ['input', 'data', 'expected_output'].some((key) => key in part);
    if (answer === undefined && !isItem) return { lack: 'other' };
    const own = objectAt(item, 'metadata')['example_id'];
    return readingOf(own ?? part['id'], answer, { input: item['input'], changed: part['last_updated_at'] });
  },
};
