import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Row = Readonly<Record<string, unknown>>;

const call = (name: string, args: unknown): Row => ({ name, arguments: args });
const at = (time: string): string => `2026-05-01T${time}Z`;

const tools = [
  {
    name: 'book',
    parameters: { type: 'object', properties: { nights: { type: 'integer', minimum: 2 } }, required: ['nights'] },
  },
  { name: 'find', parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
];

const order = [{ name: 'order', parameters: { properties: { size: { default: 'M' } } } }];
const [apple, berry] = [call('order', { item: 'a' }), call('order', { item: 'b' })];
const search = (query: string, page: number): Row => call('search_web', { query, filters: { page } });

const five = { a: 1, b: 2, c: 3, d: 4, e: 5 };

const truth: readonly Row[] = [
  { example_id: 'book', label: 'tool_call', tools, expected_tool_calls: [call('book', { nights: 1 })] },
  {
    example_id: 'plan',
    label: 'tool_call',
    tools,
    expected_tool_calls: [call('find', { city: 'Oslo', near: {} }), call('book', { nights: 3, city: 'Oslo' })],
  },
  { example_id: 'find', label: 'tool_call', tools, expected_tool_calls: [call('find', { city: 'Oslo', near: {} })] },
  { example_id: 'five', label: 'tool_call', expected_tool_calls: [call('five', five)] },
  { example_id: 'pair', tools: order, expected_tool_calls: [apple, berry] },
  { example_id: 'search', expected_tool_calls: [search('Oslo', 1)] },
  { example_id: 'wipe', expected_tool_calls: [call('delete_all', {})] },
  { example_id: 'run', label: 'direct', tools: [], expected_tool_calls: [] },
  { example_id: 'ask', label: 'request_for_info', tools: [] },
  { example_id: 'json', label: 'direct', reference: { a: [], b: 'x', c: { d: 1 } } },
];

const model = 'm';
const direct = { example_id: 'run', label: 'direct' };

const turn = (content: string): object[] => [
  { role: 'user', content },
  { role: 'assistant', content },
];

const events: readonly unknown[] = [
  // Runs of two examples by turns, one of them with a gap, and nine days until the next.
  ...[0, 1, 2, 3].flatMap((run) => [
    { example_id: 'run', event_id: `run ${run}`, ts: `2026-04-22T00:0${run}:00Z`, model, run, label: 'direct' },
    { example_id: 'ask', ts: `2026-04-22T00:0${run}:30Z`, model, run: 2 * run, label: 'request_for_info' },
  ]),
  { ...direct, ts: '2026-04-22T00:04:00Z', model: 'other', label: 'nonsense', tags: { region: 'eu' } },
  // No truth comes for these: the first is let go of where the clock of the events comes to 04:07 of the next day.
  { example_id: 'nobody', ts: '2026-04-30T04:07:00Z', label: 'direct' },
  { example_id: 'nobody', ts: at('01:00:00'), label: 'direct' },
  { example_id: 'nobody', ts: at('01:00:30'), label: 'direct' },
  { ...direct, run: 4, model, ts: at('01:01:00'), label: 'cannot_answer' },
  // A duplicate after half an hour, and one at once.
  { ...direct, event_id: 'late', ts: at('03:30:00') },
  { ...direct, ts: at('03:58:00'), asked: { model: 'asked' } },
  { ...direct, event_id: 'late', ts: at('04:00:00') },
  { ...direct, event_id: 'soon', ts: at('04:00:10') },
  { ...direct, event_id: 'between', ts: at('04:00:20') },
  { ...direct, event_id: 'soon', ts: at('04:00:10') },
  // In a window of five minutes by panes of ten seconds, and not by those of a minute.
  { ...direct, ts: at('04:05:30') },
  { example_id: 'book', ts: at('04:08:00'), model, tool_calls: [call('book', { nights: 1 })] },
  {
    example_id: 'plan',
    ts: at('04:08:00'),
    model,
    tool_calls: [call('find', { city: 'Oslo' }), call('book', { nights: 3, city: 'Rome' })],
  },
  {
    example_id: 'plan',
    ts: at('04:08:10'),
    model,
    tool_calls: [call('find', { city: 'Oslo', near: {} }), call('book', { nights: 3, city: 'Oslo' }), call('find', {})],
  },
  { example_id: 'find', ts: at('04:08:20'), model, tool_calls: [call('find', { city: 'Oslo' })] },
  { example_id: 'five', ts: at('04:08:30'), tool_calls: [call('five', { ...five, e: 6 })] },
  { example_id: 'pair', ts: at('04:08:40'), tool_calls: [berry, apple] },
  { example_id: 'pair', ts: at('04:08:40'), tool_calls: [apple] },
  {
    example_id: 'pair',
    ts: at('04:08:40'),
    tool_calls: [call('order', { item: 'a', more: 1 }), call('order', { item: 'b', note: null })],
  },
  { example_id: 'pair', ts: at('04:08:40'), tool_calls: [call('order', { item: 'a', size: 'M' }), berry] },
  { example_id: 'five', ts: at('04:08:40'), tool_calls: [call('five', { a: new Array(60).fill(0) })] },
  { example_id: 'search', ts: at('04:08:50'), tool_calls: [search('oslo', 2)] },
  { example_id: 'wipe', ts: at('04:08:50'), tool_calls: [call('delete_all', {})] },
  // Two turns of one conversation.
  { example_id: 'wipe', ts: at('04:08:55'), messages: turn('first').concat(turn('second')) },
  [
    { example_id: 'json', ts: at('04:10:05'), output: { b: 'x', c: { d: 1 } } },
    { example_id: 'json', ts: at('04:10:05'), output: { c: { d: { e: { f: 1 } } } } },
    { example_id: 'json', ts: at('04:10:05'), output: new Array(60).fill(1) },
  ],
];

/** Writes events and truth such that each key that a replay reads changes something: `truth.ndjson`, `other-truth.ndjson`, `events.ndjson`. */
export function keyTraffic(folder: string): void {
  const write = (name: string, rows: readonly unknown[]): void =>
    writeFileSync(join(folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  write('truth.ndjson', truth);
  write('other-truth.ndjson', truth.slice(1));
  write('events.ndjson', events);
}
