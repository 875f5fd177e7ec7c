import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createErrorKinds, type ErrorKind, examplesOf } from '../../src/formats/summary/error-kinds.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { configWith, foldingOf } from '../support/folding.ts';
import { runs } from '../support/soak.ts';

const call = (name: string | undefined, given: object = {}) => ({ name, arguments: given });
const book = call('book', { city: 'Oslo', items: [{ id: 1 }, { id: 2 }] });
const row = { label: null, tools: null, reference: null };
const truth = truthFromRecords([
  { ...row, example_id: 'book', expected_tool_calls: [book] as never },
  { ...row, example_id: 'two', expected_tool_calls: [call('a'), call('b')] as never },
  { ...row, example_id: 'none', label: 'cannot_answer', expected_tool_calls: null },
]);

/** The kinds of error in some predictions. */
function kindsOf(events: readonly object[], redact: readonly string[] = []): readonly ErrorKind[] {
  const { fold, state, add, end } = foldingOf(configWith(), truth);
  const kinds = createErrorKinds(state.settings.layout, new Set(redact));
  fold.out.onFailed = (scored) => kinds.add(scored, { file: 'events', line: scored.event.offset + 1 });
  add(events.map((event, at) => ({ event_id: `v${at}`, ts: 1_780_000_000_000, model: 'm', ...event })));
  end();
  return kinds.sorted();
}

const booked = (changes: object) => ({
  example_id: 'book',
  tool_calls: [call('book', { ...book.arguments, ...changes })],
});

const rows: readonly [what: string, event: object, name: string, detail: string][] = [
  ['a wrong value', booked({ city: 'Rome' }), 'wrong_value of book at city', 'expected "Oslo", got "Rome"'],
  [
    'a value of another type, at any index',
    booked({ items: [{ id: 1 }, { id: 'x' }] }),
    'wrong_type of book at items[*].id',
    'expected 2, got "x"',
  ],
  ['one too many', booked({ day: 1 }), 'unexpected_argument of book at day', 'expected nothing, got 1'],
  [
    'another tool',
    { example_id: 'book', tool_calls: [call('pay')] },
    'wrong_tool of book',
    'expected {"name": "book", "arguments": {"city": "Oslo", "items": [{"id": 1}, {"id": 2}]}}, got {"name": "pay", "arguments": {}}',
  ],
  [
    'no call',
    { example_id: 'two', tool_calls: [call('a')] },
    'missing_call of b',
    'expected {"name": "b", "arguments": {}}, got nothing',
  ],
  [
    'arguments that were cut off, once',
    { example_id: 'book', tool_calls: [{ name: 'book', arguments: '{"city": "Os' }] },
    'malformed_call of book',
    'expected nothing, got {"name": "book", "arguments": null}',
  ],
  ['a decision', { example_id: 'none', label: 'direct' }, 'direct where cannot_answer is right', ''],
  [
    'an invented tool, where no truth says more',
    { example_id: 'none', label: 'cannot_answer', tools: [{ name: 'a' }], tool_calls: [call('fly')] },
    'unknown_tool of fly',
    '',
  ],
];

for (const [what, event, name, detail] of rows)
  test(`the kind of an error: ${what}`, () => {
    const [kind, ...others] = kindsOf([event]);
    assert.deepEqual(others, []);
    assert.deepEqual([kind?.name, kind?.events, kind?.examples[0]?.detail], [name, 1, detail]);
  });

test('nothing is wrong: no kinds', () => {
  assert.deepEqual(kindsOf([booked({}), { example_id: 'none', label: 'cannot_answer' }]), []);
});

test('the most events come first; an event counts once in a kind, and its example has its place', () => {
  const wrong = booked({ items: [{ id: 3 }, { id: 4 }] });
  const kinds = kindsOf([booked({ city: 'Rome' }), wrong, wrong]);
  assert.deepEqual(
    kinds.map(({ name, events }) => [name, events]),
    [
      ['wrong_value of book at items[*].id', 2],
      ['wrong_value of book at city', 1],
    ],
  );
  assert.deepEqual(kinds[0]!.examples[0], {
    ...{ exampleId: 'book', id: 'v1', model: 'm', place: { file: 'events', line: 2 } },
    detail: 'expected 1, got 3',
  });
});

test('hidden values are not shown', () => {
  const [argument, whole] = [
    [booked({ city: 'Rome' })],
    [{ example_id: 'book', tool_calls: [call('pay', { city: 'x' })] }],
  ];
  assert.equal(kindsOf(argument, ['city'])[0]!.examples[0]!.detail, 'expected [hidden], got [hidden]');
  assert.match(kindsOf(whole, ['city'])[0]!.examples[0]!.detail, /"city": \[hidden\], "items"/);
});

test('beyond a thousand kinds an error is counted by its name alone', () => {
  const kinds = kindsOf(Array.from({ length: 1_100 }, (_, at) => booked({ [`argument_${at}`]: 1 })));
  assert.equal(kinds.length, 1_001);
  assert.deepEqual([kinds[0]!.name, kinds[0]!.events, kinds[0]!.examples.length], ['unexpected_argument', 100, 100]);
});

test('examples are shown each once, one of each kind before a second of any', () => {
  const counts = fc.array(fc.nat(6), { maxLength: 6 });
  fc.assert(
    fc.property(counts, fc.nat(20), (sizes, most) => {
      const kinds = sizes.map((size, kind): ErrorKind => {
        const examples = Array.from({ length: size }, (_, at) => ({
          ...{ exampleId: 'e', id: `${kind} ${at}`, model: 'm', detail: '' },
          place: { file: 'f', line: at },
        }));
        return { name: `${kind}`, family: 'match', events: size, examples };
      });
      const shown = examplesOf(kinds, most);
      const rank = ({ example }: (typeof shown)[number]): number => example.place.line;
      assert.equal(
        shown.length,
        Math.min(
          most,
          sizes.reduce((sum, size) => sum + size, 0),
        ),
      );
      assert.equal(new Set(shown.map(({ example }) => example.id)).size, shown.length);
      assert.ok(shown.every((one, at) => at === 0 || rank(shown[at - 1]!) <= rank(one)));
    }),
    { numRuns: runs(200) },
  );
});
