import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { schemaCheck } from '../../../src/formats/json-schema/validator.ts';
import type { Joined } from '../../../src/scoring/family.ts';
import { isObject, type Json } from '../../../src/scoring/json.ts';
import type { Call, CallResult } from '../../../src/scoring/prediction.ts';
import { rateWith, z95 } from '../../../src/scoring/reading.ts';
import { toolUse } from '../../../src/scoring/tool-use/index.ts';
import { testFamilyLaws } from '../../support/family-laws.ts';
import { joined, truthOf } from '../../support/joined.ts';
import { blockOf } from '../../support/scoring.ts';
import { outcomeOf, tallyEvents } from '../../support/tally.ts';
import { runs } from '../../support/soak.ts';

const rate = rateWith(z95);

interface Options {
  readonly known: readonly string[] | undefined;
}

const names = fc.constantFrom('a', 'b', '', '__proto__', 'toString');
const tool = fc.oneof(
  names,
  names.map((name): Json => ({ name, parameters: { properties: { x: { type: 'integer' } }, required: ['x'] } })),
  names.map((name): Json => ({ type: 'function', function: { name, parameters: { $ref: '#/nowhere' } } })),
);
const tools = fc.option(fc.array(tool, { maxLength: 3 }), { nil: undefined });
const args = fc.constantFrom<Call['arguments']>({ x: 1 }, { x: 1 }, { x: 'one' }, {}, undefined);
const call: fc.Arbitrary<Call> = fc.record({ name: fc.option(names, { nil: undefined, freq: 9 }), arguments: args });
// Few different calls, so that there are loops.
const calls = fc.option(
  fc.array(call, { minLength: 1, maxLength: 3 }).chain((few) => fc.array(fc.constantFrom(...few), { maxLength: 14 })),
  { nil: undefined },
);
const results = fc.option(
  fc.array(
    fc
      .record({ call: fc.nat(14), failed: fc.boolean(), text: fc.constantFrom('Error: 7', 'timeout\nmore', undefined) })
      .map(({ text, ...result }): CallResult => ({ ...result, error: result.failed ? text : undefined })),
    { maxLength: 6 },
  ),
  { nil: undefined },
);
const output = fc.constantFrom(
  { kind: 'absent' } as const,
  { kind: 'text', text: 'done' } as const,
  { kind: 'json', value: 1 } as const,
);
const events: fc.Arbitrary<Joined> = fc
  .record({
    ...{ calls, tools, results, output, steps: fc.integer({ min: 1, max: 9 }), finished: fc.boolean() },
    ...{ error: fc.option(fc.constant('failed'), { nil: undefined, freq: 3 }), truthTools: tools },
  })
  .map(({ truthTools, ...prediction }) =>
    joined(
      { ...prediction, answered: prediction.finished && prediction.output.kind === 'text' },
      { tools: truthTools, label: 1, expected: [{ name: 'a', arguments: {} }] },
    ),
  );
const options: fc.Arbitrary<Options> = fc.record({ known: fc.option(fc.array(names), { nil: undefined }) });
const family = ({ known }: Options) => toolUse({ known, check: schemaCheck() });

testFamilyLaws({ family, options, events, oracle: definition, oracleRuns: 100 });

test('law: truth changes nothing', () => {
  fc.assert(
    fc.property(events, options, (event, chosen) => {
      const without = { ...event, truth: truthOf({}) };
      assert.deepEqual(outcomeOf(family(chosen), event), outcomeOf(family(chosen), without));
    }),
    { numRuns: runs(100) },
  );
});

test('law: the first cell counts the events, and the counter counts every call once', () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 8 }), options, (all, chosen) => {
      const { reader } = tallyEvents(family(chosen), all);
      assert.equal(reader.count(0), all.length);
      const { calls: total, result } = family(chosen).sums(reader);
      assert.equal(
        Object.values(result).reduce((sum, one) => sum + one, 0),
        total,
      );
      assert.ok(Object.values(result).every((one) => one >= 0));
      if (all.length > 0) assert.equal(blockOf(family(chosen), all)!['n'], all.length);
    }),
    { numRuns: runs(50) },
  );
});

/** A call of an event with all that is known of it. */
interface Seen {
  readonly name: string;
  readonly args: Call['arguments'];
  readonly nameless: boolean;
  readonly offered: readonly Json[] | undefined;
  readonly result: CallResult | undefined;
}

/** A run with its calls. */
interface SeenRun {
  readonly prediction: Joined['prediction'];
  readonly calls: readonly Seen[];
}

/** The definition (docs/reference/scoring.md, "tool_use") over lists of calls and runs, without cells. */
function definition(all: readonly Joined[], { known }: Options): unknown {
  if (all.length === 0) return null;
  const seen = all.map(({ prediction }): SeenRun => {
    const { calls = [], tools: offered = known, results } = prediction;
    const seenCalls = calls.map(({ name, arguments: given }, index): Seen => {
      const result = results?.findLast(({ call: of }) => of === index);
      return { name: name ?? '', args: given, nameless: name === undefined, offered, result };
    });
    return { prediction, calls: seenCalls };
  });
  const made = seen.flatMap((run) => run.calls);
  return { n: all.length, ...ofCalls(made), ...ofRuns(seen), ...byTool(made) };
}

function share<Case>(cases: readonly Case[], isBad: (one: Case) => boolean) {
  return rate(cases.filter(isBad).length, cases.length);
}

const isChecked = (one: Seen): boolean => verdictOf(one) !== undefined;
const isInvalid = (one: Seen): boolean => isChecked(one) && verdictOf(one) !== 'fits';
const isAnswered = ({ result }: Seen): boolean => result !== undefined;
const isFailed = ({ result }: Seen): boolean => result?.failed === true;

function ofCalls(made: readonly Seen[]) {
  return {
    unknown_tool: share(
      made.filter(({ offered }) => offered !== undefined),
      isUnknown,
    ),
    malformed: share(made, ({ nameless, args: given }) => nameless || given === undefined),
    invalid_arguments: share(made.filter(isChecked), isInvalid),
    failed: share(made.filter(isAnswered), isFailed),
  };
}

function ofRuns(seen: readonly SeenRun[]) {
  const unanswered = seen
    .filter(({ prediction, calls: own }) => prediction.finished && own.some(isAnswered))
    .flatMap((run) => run.calls.filter((one) => !isAnswered(one)));
  const answered = seen.flatMap((run) => run.calls.filter(isAnswered));
  const mean = (of: (run: SeenRun) => number) => seen.reduce((sum, run) => sum + of(run), 0) / seen.length;
  return {
    unanswered: rate(unanswered.length, unanswered.length + answered.length),
    not_recovered: share(
      seen.filter((run) => run.calls.some(isFailed)),
      ({ prediction, calls: own }) =>
        prediction.answered && prediction.error === undefined && isFailed(own.findLast(isAnswered)!),
    ),
    loops: share(
      seen.filter((run) => run.calls.length >= 3),
      (run) => hasLoop(run.calls),
    ),
    calls_per_run: mean((run) => run.calls.length),
    steps_per_run: mean(({ prediction }) => prediction.steps),
  };
}

function byTool(made: readonly Seen[]) {
  const errors: Readonly<Record<string, string>> = { 'Error: 7': 'Error: #', 'timeout\nmore': 'timeout' };
  return {
    tools: byName(made, (own) => ({
      calls: own.length,
      unknown: own.filter((one) => one.offered !== undefined && isUnknown(one)).length,
      invalid_arguments: share(own.filter(isChecked), isInvalid),
      unchecked: own.filter(isUnusable).length,
      failed: share(own.filter(isAnswered), isFailed),
    })),
    violations: byName(made.filter(isInvalid), (own) => counted(own.map((one) => `x ${verdictOf(one)}`))),
    errors: byName(made.filter(isFailed), (own) => counted(own.map(({ result }) => errors[result!.error ?? ''] ?? ''))),
  };
}

function toolOf({ nameless, name, offered }: Seen): Json | undefined {
  return nameless ? undefined : offered?.find((one) => nameOf(one) === name);
}

function isUnknown(one: Seen): boolean {
  return toolOf(one) === undefined;
}

/** The keyword that the arguments break, or `fits`; undefined where nothing is checked. */
function verdictOf(one: Seen): string | undefined {
  const found = toolOf(one);
  if (!isObject(found) || 'function' in found || one.args === undefined) return undefined;
  if (!('x' in one.args)) return 'required';
  return one.args['x'] === 1 ? 'fits' : 'type';
}

function isUnusable(one: Seen): boolean {
  const found = toolOf(one);
  return isObject(found) && 'function' in found && one.args !== undefined;
}

function nameOf(one: Json): Json | undefined {
  if (!isObject(one)) return one;
  return 'function' in one ? (one['function'] as { name: string }).name : one['name'];
}

/** Runs as text: a loop is a repetition in it. */
function hasLoop(own: readonly Seen[]): boolean {
  const texts = own.map(({ nameless, name, args: given }, at) =>
    given === undefined ? `unread ${at}` : JSON.stringify([nameless, name, given]),
  );
  return texts.some((_, from) =>
    [1, 2, 3, 4].some((cycle) => {
      const parts = [0, 1, 2].map((time) => texts.slice(from + time * cycle, from + (time + 1) * cycle));
      return parts.every((part) => part.length === cycle && part.join('|') === parts[0]!.join('|'));
    }),
  );
}

function byName(own: readonly Seen[], of: (some: readonly Seen[]) => unknown): Record<string, unknown> {
  const found = [...new Set(own.map(({ name }) => name))];
  return Object.fromEntries(found.map((name) => [name, of(own.filter((one) => one.name === name))]));
}

function counted(texts: readonly string[]): Record<string, number> {
  return Object.fromEntries(texts.map((text) => [text, texts.filter((other) => other === text).length]));
}
