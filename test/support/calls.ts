import fc from 'fast-check';
import type { Joined } from '../../src/scoring/family.ts';
import type { Json, JsonObject } from '../../src/scoring/json.ts';
import type { Call } from '../../src/scoring/prediction.ts';
import type { ExpectedCall } from '../../src/scoring/truth.ts';
import { joined } from './joined.ts';

/** Names that collide, differ in case only, or are traps of JavaScript objects. */
const names = fc.constantFrom('a', 'b', 'A', '', '__proto__', 'constructor', 'a, 1x b', '10', '9');
const keys = fc.constantFrom('x', 'y', 'X ', '__proto__', 'toString');

const leaves: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  null,
  true,
  false,
  0,
  -0,
  1,
  1.0000005,
  1.15,
  0.9,
  0.19,
  100,
  119,
  125,
  1e300,
  Number.POSITIVE_INFINITY,
  '',
  ' ',
  'Rome',
  ' rome',
  'ROME, Italy',
  'İ',
  '1',
  '\ud800',
);

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaves,
    fc.array(tie('value'), { maxLength: 3 }),
    fields(tie('value')),
  ),
}));

function fields(values: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  return fc.array(fc.tuple(keys, values), { maxLength: 3 }).map((entries) => Object.fromEntries(entries));
}

export const values: fc.Arbitrary<Json> = value;

const expectedCall: fc.Arbitrary<ExpectedCall> = fc.record({ name: names, arguments: fields(value) });

const anyCall: fc.Arbitrary<Call> = fc.record({
  name: fc.oneof({ weight: 8, arbitrary: names }, { weight: 1, arbitrary: fc.constant(undefined) }),
  arguments: fc.oneof({ weight: 8, arbitrary: fields(value) }, { weight: 1, arbitrary: fc.constant(undefined) }),
});

/**
 * Events with and without expected and recorded calls; predicted calls are often those expected, some changed, dropped or added.
 */
export const events: fc.Arbitrary<Joined> = fc
  .record({
    expected: fc.option(fc.array(expectedCall, { maxLength: 5 }), { nil: undefined, freq: 10 }),
    edits: fc.array(
      fc.record({
        at: fc.nat(5),
        kind: fc.constantFrom('change', 'drop', 'insert', 'argument'),
        call: anyCall,
        key: keys,
        value,
      }),
      { maxLength: 3 },
    ),
    unrelated: fc.option(fc.array(anyCall, { maxLength: 4 }), { freq: 3 }),
    absence: fc.constantFrom('none', 'none', 'none', 'none', 'none', 'none', 'no calls', 'not recorded'),
  })
  .map(({ expected, edits, unrelated, absence }) => {
    if (absence === 'not recorded') return joined({ callsNotRecorded: true }, { expected });
    if (absence === 'no calls') return joined({}, { expected });
    const calls: Call[] = structuredCopy(unrelated ?? expected ?? []);
    for (const edit of edits) {
      if (edit.kind === 'insert') calls.splice(edit.at, 0, edit.call);
      else if (edit.kind === 'drop') calls.splice(edit.at, 1);
      else if (edit.kind === 'change' && edit.at < calls.length) calls[edit.at] = edit.call;
      else if (edit.at < calls.length) calls[edit.at] = withArgument(calls[edit.at]!, edit.key, edit.value);
    }
    return joined({ calls }, { expected });
  });

function withArgument(call: Call, key: string, value: Json): Call {
  const kept = Object.entries(call.arguments ?? {}).filter(([name]) => name !== key);
  return { name: call.name, arguments: Object.fromEntries([...kept, [key, value]]) };
}

/** Another object, keys in reverse order: equality must not rest on identity or order. */
function structuredCopy(calls: readonly Call[]): Call[] {
  return calls.map((call) => ({
    name: call.name,
    arguments: call.arguments && (reversed(call.arguments) as JsonObject),
  }));
}

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, field]) => [key, reversed(field)]),
  );
}

/** `{d: [[…[leaf]…]]}` or nested objects, `depth` deep, built without recursion. */
export function nested(depth: number, leaf: Json, kind: 'array' | 'object'): JsonObject {
  let inner: Json = leaf;
  for (let i = 0; i < depth; i++) inner = kind === 'array' ? [inner] : { Key: inner };
  return { d: inner };
}
