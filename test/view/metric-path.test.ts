import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contextOf } from '../../src/app/context.ts';
import { rateOf } from '../../src/app/settings.ts';
import { summaryDocument } from '../../src/formats/summary/summary-document.ts';
import { isObject } from '../../src/scoring/json.ts';
import { placeOf } from '../../src/view/metric-path.ts';
import { isProblem } from '../../src/view/summary-lookup.ts';
import { viewOf } from '../../src/view/view.ts';
import { startMs, viewConfig, viewedTraffic } from '../support/viewed-traffic.ts';

/** Every number below a value with its path; null is a number that is not there. */
function numbersIn(value: unknown, path: string): [string, number | null][] {
  if (typeof value === 'number' || value === null) return [[path, value]];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'band' ? [] : numbersIn(inner, `${path}.${key}`)));
}

test('a summary has no number that a gate could not name, nor one outside of what it may be', () => {
  const config = viewConfig();
  const { states } = viewedTraffic(config);
  const options = { sets: [], rate: rateOf(config), withWindows: false, withBreakdowns: true, groupsMax: undefined };
  const view = viewOf(states, states[0]!.settings, startMs, options);
  const { records, coverage, groups } = summaryDocument(view, contextOf(config, null, []));
  const { slice: _slice, window: _window, ...blocks } = groups[0]!;
  const numbers = [
    ...Object.entries({ records, coverage }).flatMap(([key, value]) => numbersIn(value, key)),
    ...Object.entries(blocks).flatMap(([key, value]) => (value === null ? [] : numbersIn(value, key))),
  ];
  assert.ok(numbers.length > 200, String(numbers.length));
  for (const [path, value] of numbers) {
    const place = placeOf(path);
    if (isProblem(place)) assert.fail(place.problem);
    assert.ok(value === null || (value >= 0 && value <= place.most), `${path} is ${value}, at most ${place.most}`);
  }
});
