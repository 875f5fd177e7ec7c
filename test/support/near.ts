import assert from 'node:assert/strict';

/** Deep equality with numbers within 1e-9; the path of the first difference is in the message. */
export function near(actual: unknown, expected: unknown, where = '$'): void {
  if (typeof expected === 'number' && typeof actual === 'number') {
    const close = actual === expected || Math.abs(actual - expected) <= 1e-9;
    assert.ok(close, `${where}: ${actual} is not ${expected}`);
    return;
  }
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null) {
    assert.deepEqual(actual, expected, where);
    return;
  }
  assert.equal(Array.isArray(actual), Array.isArray(expected), where);
  assert.deepEqual(Object.keys(actual).sort(), Object.keys(expected).sort(), `${where}: keys`);
  const fields = new Map<string, unknown>(Object.entries(actual));
  for (const [key, value] of Object.entries(expected)) near(fields.get(key), value, `${where}.${key}`);
}
