import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Row = Readonly<Record<string, unknown>>;

/** Predictions with everything that a score row can say: calls and JSON wrong in every way, texts of any script, an event of an array. */
export function oddTraffic(folder: string): { readonly events: string; readonly truth: string } {
  const call = (name: string, args: unknown): Row => ({ name, arguments: args });
  const truth = [
    {
      example_id: 'a',
      label: 'tool_call',
      tools: ['f', 'g'],
      expected_tool_calls: [call('f', { x: 1, y: [1, { z: null }] })],
    },
    { example_id: 'b', label: 'request_for_info', tools: [], expected_tool_calls: [] },
    { example_id: 'ü', label: null, reference: { b: [1, 2], c: 'd' } },
    { example_id: 'd', label: 'direct' },
  ];
  const event = (fields: Row): Row => ({ ts: '2026-05-01T04:09:59.123Z', ...fields });
  const events = [
    event({ example_id: 'a', event_id: '1', run: 0, model: 'm', tool_calls: [call('f', { x: '1', y: [2] })] }),
    event({
      example_id: 'a',
      event_id: '2',
      run: 3,
      tool_calls: [call('g', { x: 1 }), { arguments: '[' }],
      error: 'é',
    }),
    event({ example_id: 'a', event_id: '3', model: '모델', tool_calls: [call('f', { x: 1, y: [1, { z: null }] })] }),
    event({ example_id: 'b', label: 'direct', agent: 'a', tags: { team: 'x' } }),
    [event({ example_id: 'ü', output: { b: [1], c: 'e' } }), event({ example_id: 'ü', output: '{"b":[1,2],"c":"d"}' })],
    event({ example_id: 'd', label: 'nonsense' }),
  ];
  const written = (name: string, lines: readonly unknown[]): string => {
    const path = join(folder, name);
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return path;
  };
  return { events: written('odd.ndjson', events), truth: written('odd-truth.ndjson', truth) };
}
