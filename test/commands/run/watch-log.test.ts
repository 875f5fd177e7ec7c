import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchLog } from '../../../src/commands/run/watch-log.ts';
import type { Log } from '../../../src/ports.ts';
import { createDesigns } from '../../../src/statistics/watch-design.ts';
import type { WatchReading } from '../../../src/view/summary.ts';

const minuteMs = 60_000;
const reading = (firing: boolean): WatchReading => ({
  ...{ watch: 'decision.accuracy', dimensions: ['model'], values: ['m'] },
  ...{ firing, design: createDesigns()(0.02, 0.05, 1_000), designEffect: 1, statistic: 300, recovery: undefined },
  ...{ span: firing ? { sinceMs: 0, n: 10, bad: 8 } : undefined, before: undefined, causes: [] },
  incidents: [{ sinceMs: 0, untilMs: 1, n: 10, bad: 8, beginMs: minuteMs, endMs: firing ? undefined : 3 * minuteMs }],
});

test('an incident is one warning: an alarm within half an hour of its end is a line of information', () => {
  const lines: string[] = [];
  const line = (level: string) => (_: unknown, message: string) => void lines.push(`${level}: ${message}`);
  const log = { warn: line('warn'), info: line('info') } as unknown as Log;
  let [minute, firing] = [0, false];
  const views = { watches: () => ({ asOfMs: minute * minuteMs, watches: [reading(firing)] }) };
  const service = { views, samples: { latest: () => [] } } as unknown as Parameters<typeof watchLog>[0];
  const { look } = watchLog(service, log);
  for ([minute, firing] of [
    [1, true],
    [2, true],
    [3, false],
    [20, true],
    [40, false],
    [71, true],
  ] as const)
    look();
  const text = 'm is worse since 1970-01-01 00:00 UTC: decision.accuracy 98.0 % → 20.0 %.';
  assert.deepEqual(lines, [
    `warn: ${text}`,
    'info: an incident has ended',
    `info: an incident fires again: ${text}`,
    'info: an incident has ended',
    `warn: ${text}`,
  ]);
});
