import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contextOf } from '../../src/documents/context.ts';
import { summaryDocument } from '../../src/formats/summary/summary-document.ts';
import { isObject } from '../../src/scoring/json.ts';
import { placeOf } from '../../src/view/metric-path.ts';
import { isProblem } from '../../src/view/summary-lookup.ts';
import { startMs, viewConfig, viewedTraffic } from '../support/viewed-traffic.ts';
import { lazyViewWith } from '../support/folding.ts';

/** Every number below a value with its path; null is a number that is not there. */
function numbersIn(value: unknown, path: string): [string, number | null][] {
  if (typeof value === 'number' || value === null) return [[path, value]];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'band' ? [] : numbersIn(inner, `${path}.${key}`)));
}

test('a summary has no number that a gate could not name, nor one outside of what it may be', () => {
  const config = viewConfig();
  const { states } = viewedTraffic(config);
  const view = lazyViewWith(config, states, startMs, { sets: [], withWindows: false });
  const { records, coverage, groups } = summaryDocument(view, contextOf(config, null, []));
  const { slice: _slice, window: _window, ...blocks } = groups[0]!;
  const numbers = [
    ...Object.entries({ records, coverage }).flatMap(([key, value]) => numbersIn(value, key)),
    ...Object.entries(blocks).flatMap(([key, value]) => (value === null ? [] : numbersIn(value, key))),
  ];
  assert.ok(numbers.length > 200, String(numbers.length));
  for (const [path, value] of numbers) {
    const place = placeOf(path, {});
    if (isProblem(place)) assert.fail(place.problem);
    const [least, greatest] = path === 'schema.overall' ? [0, 1] : place.range;
    assert.ok(value === null || (value >= least && value <= greatest), `${path} is ${value}, of ${place.range}`);
    assert.ok(!place.isWhole || value === null || Number.isInteger(value), `${path} is ${value}`);
  }
});

const [share, unbounded, nothing] = [1, Number.POSITIVE_INFINITY, undefined];
/** Greatest value of what a path names; undefined where it names nothing. */
const places: readonly (readonly [path: string, most: number | undefined])[] = [
  ['accuracy', share],
  ['nofamily.accuracy', nothing],
  ['decision', nothing],
  ['decision.', nothing],
  ['decision.accuracy.value', share],
  ['decision.accuracy.lower', share],
  ['decision.accuracy.upper_always', share],
  ['decision.accuracy.xlower', nothing],
  ['decision.accuracy.lowers', nothing],
  ['decision.accuracy.numerator', unbounded],
  ['decision.accuracy.sum', nothing],
  ['decision.accuracy.lower.x', nothing],
  ['tool_calls.strict.f1', share],
  ['tool_calls.strict.f1.sum', unbounded],
  ['tool_calls.strict.f1.lower', nothing],
  ['tool_calls.strict.f1.numerator', nothing],
  ['tool_calls.strict.band', nothing],
  ['tool_calls.strict', nothing],
  ['stability.entropy', 2],
  ['decision.macro_f1', share],
  ['decision.macro_f1.value', nothing],
  ['decision.n', unbounded],
  ['decision.n.value', nothing],
  ['judge.corrected', share],
  ['judge.corrected.value', share],
  ['judge.corrected.lower', share],
  ['judge.corrected.upper', share],
  ['judge.corrected.xvalue', nothing],
  ['judge.corrected.values', nothing],
  ['judge.corrected.value.x', nothing],
  ['decision.confusion.direct.invalid', unbounded],
  ['decision.confusion.direct', nothing],
  ['decision.confusion.direct.nothing', nothing],
  ['decision.confusion.nothing.invalid', nothing],
  ['decision.confusion.direct.invalid.x', nothing],
  ['stability.pass_hat_k.2', share],
  ['stability.pass_hat_k.12.count', unbounded],
  ['stability.pass_hat_k', nothing],
  ['stability.pass_hat_k.0', nothing],
  ['stability.pass_hat_k.x2', nothing],
  ['stability.pass_hat_k.2x', nothing],
  ['decision.per_class.direct.f1', share],
  ['decision.per_class.direct', nothing],
  ['decision.per_class.nothing.f1', nothing],
  ['trajectory.tools.db.success', share],
  ['trajectory.tools.db.query.success.denominator', unbounded],
  ['trajectory.tools.success', nothing],
  ['records', nothing],
  ['records.read', unbounded],
  ['records.wrote', nothing],
  ['records.read.x', nothing],
  ['records.read.schema', nothing],
  ['records.rejected', unbounded],
  ['records.rejected.schema', unbounded],
  ['records.rejected.shcema', nothing],
  ['records.rejected.schema.x', nothing],
  ['coverage', share],
  ['coverage.lower', share],
  ['coverage.denominator', unbounded],
  ['coverage.sum', nothing],
  ['outcome.good.any_name.rate.numerator', unbounded],
  ['outcome.bad.any_name.rate', 1],
  ['outcome.good.any_name.mean', unbounded],
  ['outcome.bad', nothing],
  ['outcome.bad.any_name', nothing],
];
test('a path names a number with its greatest value, or nothing', () => {
  for (const [path, most] of places) {
    const place = placeOf(path, {});
    assert.equal(isProblem(place) ? undefined : place.range[1], most, path);
  }
  assert.deepEqual(placeOf('n', {}), { path: 'decision.n', family: 'decision', range: [0, unbounded], isWhole: true });
  assert.deepEqual(placeOf('records.read', {}), {
    path: 'records.read',
    family: undefined,
    range: [0, unbounded],
    isWhole: true,
  });
});

test('what is near a path that names nothing is told: of groups, of labels, of records; not what is no number', () => {
  const near = (path: string): string => {
    const place = placeOf(path, {});
    assert.ok(isProblem(place));
    return place.problem;
  };
  assert.match(near('tool_calls.strickt.f1'), /did you mean one of tool_calls\.strict\.f1,/);
  assert.match(near('decision.per_class.direkt.f1'), /did you mean one of decision\.per_class\.direct\.f1,/);
  assert.match(near('records.raed'), /did you mean one of records\.read,/);
  assert.match(near('coverage.x'), /did you mean one of coverage,/);
  assert.doesNotMatch(near('tool_calls.strict.bamd'), /\.band/);
  assert.doesNotMatch(near('decision.confusio'), /confusion/);
});
