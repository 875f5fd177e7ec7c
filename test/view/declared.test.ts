import assert from 'node:assert/strict';
import { test } from 'node:test';
import { betterOf, declaredAt, rowReader } from '../../src/view/declared.ts';

test('a path leads through groups and labels to a metric of a family', () => {
  const found = (path: string) => {
    const declared = declaredAt(path);
    return declared && [declared.family.name, declared.metric.kind, declared.above];
  };
  assert.deepEqual(found('decision.accuracy'), ['decision', 'rate', []]);
  assert.deepEqual(found('tool_calls.strict.f1'), ['tool_calls', 'mean', ['strict']]);
  assert.deepEqual(found('decision.per_class.direct.f1'), ['decision', 'number', ['per_class', 'direct']]);
  for (const path of [
    ...['', 'decision', 'other.accuracy', 'decision.acuracy', 'decision.constructor', 'decision.accuracy.lower'],
    ...['decision.per_class', 'decision.per_class.direct', 'decision.per_class.direct.f2', 'tool_calls.strict'],
  ])
    assert.equal(found(path), undefined, path);
  assert.equal(declaredAt('decision.accuracy', []), undefined);
});

test('a metric says which change of it is good', () => {
  assert.deepEqual(
    ['decision.accuracy', 'decision.tool_hall', 'decision.n', 'outcome.good.a.rate', 'outcome.bad.b.rate'].map((path) =>
      betterOf(declaredAt(path)),
    ),
    ['higher', 'lower', undefined, 'higher', 'lower'],
  );
  assert.equal(betterOf(undefined), undefined);
});

test('a score row is read where the metric lies, if its family scored it', () => {
  const readerAt = (path: string) => rowReader(declaredAt(path)!);
  const strict = readerAt('tool_calls.strict.f1')!;
  assert.equal(strict({ tool_calls: { skipped: false, strict: { f1: 0.5 } } }), 0.5);
  for (const row of [
    {},
    { tool_calls: null },
    { tool_calls: 3 },
    { tool_calls: { strict: null } },
    { tool_calls: { skipped: true, strict: { f1: 0.5 } } },
    { decision: { strict: { f1: 0.5 } } },
  ])
    assert.equal(strict(row), undefined, JSON.stringify(row));
  // Of a macro average a row says the cell of the confusion matrix; of a count, or of the number of a class, nothing.
  assert.equal(typeof readerAt('decision.macro_f1'), 'function');
  assert.deepEqual([readerAt('decision.n'), readerAt('decision.per_class.direct.f1')], [undefined, undefined]);
});
