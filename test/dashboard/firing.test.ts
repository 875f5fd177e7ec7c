import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { episodesOf, firingOf } from '../../packages/dashboard/firing.ts';
import type { Incident, PlainWatch } from '../../src/formats/summary/watch-document.ts';
import { runs } from '../support/soak.ts';

const since = '2026-05-01T14:00:00.000Z';

/** A watch of a rate that was designed for 10 %. */
function watchOf(slice: PlainWatch['slice'], rate: number, more: Partial<PlainWatch> = {}): PlainWatch {
  const share = { value: rate, numerator: 1000 * rate, denominator: 1000 };
  const watch = { watch: 'decision.tool_hall', slice, firing: true, since, rate: share, baseline: 0.1, causes: [] };
  return { ...watch, ...more } as unknown as PlainWatch;
}

const because = (slice: PlainWatch['slice'], share: number): Partial<PlainWatch> => ({
  causes: [{ slice, share }] as unknown as PlainWatch['causes'],
});
const names = (groups: readonly { readonly slice: PlainWatch['slice'] }[]): string[] =>
  groups.map(({ slice }) => Object.values(slice).join() || 'total');

test('the group that changed is named, those that only hold a part of it are explained by it', () => {
  const { groups, explained, paths } = firingOf([
    watchOf({}, 0.3, because({ model: 'm' }, 0.9)),
    watchOf({ model: 'm' }, 0.8, because({ agent: 'a' }, 0.4)),
    watchOf({ agent: 'a' }, 0.4, because({ model: 'm' }, 0.9)),
    watchOf({ agent: 'b' }, 0.35),
    watchOf({ model: 'quiet' }, 0.9, { firing: false }),
  ]);
  assert.deepEqual(names(groups), ['m']);
  assert.deepEqual(names(explained), ['a', 'b', 'total'], 'b went up at the same time, less');
  assert.deepEqual(
    [...paths.values()].map((set) => [...set]),
    Array.from({ length: 4 }, () => ['decision.tool_hall']),
  );
});

test('a second group is named beside the first where it has a change of its own', () => {
  const own = (change: Partial<PlainWatch>) =>
    names(firingOf([watchOf({ model: 'm' }, 0.8), watchOf({ agent: 'a' }, 0.4, change)]).groups);
  assert.deepEqual(own(because({ model: 'm' }, 0.2)), ['m', 'a'], 'a small part of its change');
  assert.deepEqual(own(because({ model: 'other' }, 0.9)), ['m', 'a'], 'of another model');
  assert.deepEqual(own({ watch: 'decision.accuracy' }), ['m', 'a'], 'of another rate');
  assert.deepEqual(own({ since: '2026-05-01T12:00:00.000Z' }), ['m', 'a'], 'long before');
  const both = firingOf([watchOf({ model: 'm' }, 0.8), watchOf({ model: 'n' }, 0.5)]);
  assert.deepEqual(names(both.groups), ['m', 'n'], 'two models');
});

test('where two explain each other, the one that changed more is named', () => {
  const { groups } = firingOf([
    watchOf({ agent: 'a' }, 0.5, because({ model: 'm' }, 0.9)),
    watchOf({ model: 'm' }, 0.6, because({ agent: 'a' }, 0.9)),
  ]);
  assert.deepEqual(names(groups), ['m']);
});

test('few cases may make a part look worse than the whole: who is attributed for it is named all the same', () => {
  const other = { watch: 'decision.param_hall' };
  const { groups, explained } = firingOf([
    watchOf({ agent: 'a' }, 0.8),
    watchOf({ model: 'm' }, 0.7),
    watchOf({ agent: 'a' }, 0.4, { ...other, ...because({ model: 'm' }, 0.8) }),
    watchOf({ model: 'm' }, 0.6, other),
  ]);
  assert.deepEqual([names(groups), names(explained)], [['m'], ['a']]);
  // But not for another rate, which changed more.
  const own = firingOf([
    watchOf({ agent: 'a' }, 0.8),
    watchOf({ agent: 'a' }, 0.4, { ...other, ...because({ model: 'm' }, 0.8) }),
    watchOf({ model: 'm' }, 0.6, other),
  ]);
  assert.deepEqual(names(own.groups), ['a', 'm']);
});

test('somebody is named, whoever attributions whom', () => {
  const slices = [{ model: 'm' }, { agent: 'a' }, { model: 'm', agent: 'a' }, {}] as const;
  const watch = fc.record({
    slice: fc.constantFrom<PlainWatch['slice']>(...slices),
    rate: fc.constantFrom(0.2, 0.4, 0.6, 0.8),
    watch: fc.constantFrom('decision.tool_hall', 'decision.accuracy'),
    cause: fc.constantFrom<PlainWatch['slice'] | undefined>(...slices.slice(0, 3), undefined),
  });
  const key = ({ slice, watch: path }: { slice: PlainWatch['slice']; watch: string }) => JSON.stringify([slice, path]);
  fc.assert(
    fc.property(fc.uniqueArray(watch, { minLength: 1, selector: key }), (drawn) => {
      const { groups, explained } = firingOf(
        drawn.map(({ slice, rate, watch: path, cause }) =>
          watchOf(slice, rate, { watch: path, ...(cause && because(cause, 0.9)) }),
        ),
      );
      assert.ok(groups.length > 0);
      assert.equal(groups.length + explained.length, new Set(drawn.map(({ slice }) => JSON.stringify(slice))).size);
    }),
    { numRuns: runs(400) },
  );
});

function incidentOf(slice: Incident['slice'], minutes: readonly [number, number | null], rate: number): Incident {
  const time = (minute: number): string => new Date(Date.parse(since) + 60_000 * minute).toISOString();
  const [from, until] = minutes;
  const end = until === null ? null : time(until + 1);
  const share = { value: rate, numerator: 1000 * rate, denominator: 1000 };
  const known = { watch: 'decision.tool_hall', slice, since: time(from), begin: time(from + 1) };
  return { ...known, until: time(until ?? from + 5), end, rate: share, before: null, baseline: 0.1 };
}

test('alarms of one time are one incident, told by the groups that changed most', () => {
  const episodes = episodesOf([
    incidentOf({}, [0, 6], 0.3),
    incidentOf({ model: 'm' }, [1, 5], 0.8),
    incidentOf({ model: 'm' }, [3, 4], 0.4),
    incidentOf({ model: 'n' }, [4, 9], 0.5),
    incidentOf({ model: 'm' }, [30, null], 0.7),
  ]);
  assert.deepEqual(
    episodes.map(({ sinceMs, untilMs, leading, incidents }) => [
      (sinceMs - Date.parse(since)) / 60_000,
      untilMs === undefined ? 'now' : (untilMs - Date.parse(since)) / 60_000,
      names(leading),
      incidents.length,
    ]),
    [
      [30, 'now', ['m'], 1],
      [1, 9, ['m', 'n'], 4],
    ],
  );
});
