import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failedEvent } from '../../../src/formats/summary/failed-event.ts';
import type { Failure } from '../../../src/formats/summary/failure.ts';
import type { Cause, WatchAlarm, WatchReading } from '../../../src/view/summary.ts';

const ts = '2026-01-01T00:00:01.000Z';
const failure = (id: string, change: Partial<Failure> = {}): Failure => {
  const fields = ['date', 'to'].map((name) => ({ name, same: name === 'to', expected: null, actual: null }));
  const call = { expected: 'book', actual: 'book', fields } as unknown as Failure['calls'][number];
  const told = { event_id: id, example_id: id, ts, slice: { model: 'm' }, link: null, families: ['match'] };
  return { ...told, gold: 'tool_call', predicted: 'direct', hallucinations: [], calls: [call], ...change } as Failure;
};
const reading = { watch: 'match.correct', dimensions: ['model'], values: ['m'] } as unknown as WatchReading;
const alarm = { sinceMs: Date.parse(ts), untilMs: Date.parse(ts) + 1_000 } as WatchAlarm;

test('an event shows a cause if it is bad by the rate, and has the outcome, or a call of what is attributed with that argument wrong', () => {
  const failures = [
    failure('other family', { families: ['decision'] }),
    failure('before', { ts: '2025-12-31T23:59:59.000Z' }),
    failure('after', { ts: '2026-01-01T00:00:02.000Z' }),
    failure('without calls', { calls: [], gold: 'direct' }),
    failure('booked'),
  ];
  const shown = (part: Cause['part']): string | undefined => {
    const cause: Cause = { part, byRate: 1, byMix: 0, before: undefined, since: { n: 1, bad: 1 } };
    const found = failedEvent(reading, alarm, cause, (_slice, fits) => failures.filter(fits!));
    return found?.example_id;
  };
  const argument = (name: string): Cause['part'] => ({ kind: 'wrong_value', tool: 'book', argument: name });
  assert.equal(shown({ dimension: 'agent', value: 'x' }), 'without calls');
  assert.equal(shown({ gold: 'direct', predicted: 'direct' }), 'without calls');
  assert.equal(shown({ gold: 'tool_call', predicted: 'direct' }), 'booked');
  assert.equal(shown({ kind: 'tool', tool: 'book', argument: '' }), 'booked');
  assert.equal(shown({ kind: 'tool', tool: 'find', argument: '' }), undefined);
  for (const name of ['date', 'date.day', 'date[*].day']) assert.equal(shown(argument(name)), 'booked', name);
  for (const name of ['to', 'dates', 'da']) assert.equal(shown(argument(name)), undefined, name);
});
