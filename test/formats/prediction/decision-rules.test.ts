import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { declining } from '../../../src/formats/prediction/decision-words.ts';
import { decisionReading, type DecisionRule } from '../../../src/formats/prediction/decision-rules.ts';
import { labels, predictedNames } from '../../../src/scoring/label.ts';
import { readAgain, readFields } from '../../support/event-reader.ts';
import { configWith } from '../../support/folding.ts';

/* Labels read from words (docs/reference/inputs.md, "Decisions from words"). */

const rulesOf = (value: unknown) => configWith({ 'decision.rules': value }).decision.rules as readonly DecisionRule[];
const words = decisionReading(rulesOf('words'));

function labelOf(decisionOf: typeof words, fields: object): string {
  const { label, labelStatus } = readFields(fields, {}, { decisionOf }).prediction;
  return `${predictedNames[label]!} ${labelStatus}`;
}

const preset: readonly (readonly [fields: object, expected: string])[] = [
  [{ output: 'It is 21 degrees in Lisbon.' }, 'direct inferred'],
  [{ output: 'Which city?' }, 'request_for_info inferred'],
  [{ output: 'Which city? "Lisbon"' }, 'direct inferred'],
  [{ output: 'Which **city?** \n' }, 'request_for_info inferred'],
  [{ output: 'どの都市ですか？' }, 'request_for_info inferred'],
  [{ output: 'أي مدينة؟' }, 'request_for_info inferred'],
  [{ output: 'I can’t do that. Anything else?' }, 'cannot_answer inferred'],
  [{ output: "I'm sorry, but I'm currently unable to play music." }, 'cannot_answer inferred'],
  [{ output: 'I DO NOT HAVE ACCESS to it.' }, 'cannot_answer inferred'],
  [{ output: 'We cannot.' }, 'cannot_answer inferred'],
  [{ output: 'I canteen' }, 'direct inferred'],
  [{ output: 'You can not miss it.' }, 'direct inferred'],
  [{ output: 'Which city?', refused: true }, 'cannot_answer inferred'],
  [{ output: 'Which city?', refused: 'no' }, 'request_for_info inferred'],
  [{ output: { answer: 'I cannot?' } }, 'direct inferred'],
  [{ output: '' }, 'direct inferred'],
  [{}, 'direct inferred'],
  [{ tool_calls: [] }, 'direct inferred'],
  [{ output: 'x', error: 'the model timed out' }, 'invalid missing'],
  [{ output: 'Which city?', tool_calls: [{ name: 'f' }] }, 'tool_call derived'],
  [{ output: 'Which city?', label: 'direct' }, 'direct given'],
  [{ output: 'Which city?', label: 'ask' }, 'invalid invalid'],
];
for (const [fields, expected] of preset)
  test(`words: ${JSON.stringify(fields)} is ${expected}`, () => assert.equal(labelOf(words, fields), expected));

test('the first rule that holds says the label; all that it asks for must hold; without one the label is missing', () => {
  const own = decisionReading(
    rulesOf([
      { text: '^NO', question: true, label: 'request_for_info' },
      { text: '^NO', label: 'cannot_answer' },
      { text: '(?i)^\\{"name"', label: 'tool_call' },
    ]),
  );
  assert.equal(labelOf(own, { output: 'NO?' }), 'request_for_info inferred');
  assert.equal(labelOf(own, { output: 'NO.' }), 'cannot_answer inferred');
  assert.equal(labelOf(own, { output: '{"Name": "f"' }), 'tool_call inferred');
  assert.equal(labelOf(own, { output: 'no' }), 'invalid missing');
  assert.equal(labelOf(own, {}), 'invalid missing');
});

test('the preset agrees with the labels of 358 of 378 recorded answers, as the reference says', () => {
  const file = new URL('../../../../test/fixtures/inputs/answers-in-words.ndjson', import.meta.url);
  const answers = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { label: string; output: string });
  const right = answers.filter(({ label, output }) => labelOf(words, { output }) === `${label} inferred`);
  assert.deepEqual([right.length, answers.length], [358, 378]);
  const reference = readFileSync(new URL('../../../../docs/reference/inputs.md', import.meta.url), 'utf8');
  assert.match(reference, /358 of 378/);
  for (const phrase of declining) assert.ok(reference.includes(`\n    ${phrase}\n`), phrase);
});

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('I ', 'cannot ', "I'm unable to ", '?', ' ', '"', '\ud800', '\n', 'x', '？'))
    .map((parts) => parts.join('')),
);
const events = fc.record(
  {
    output: fc.oneof(text, fc.jsonValue()),
    refused: fc.oneof(fc.boolean(), fc.jsonValue()),
    label: fc.constantFrom(...labels, '', null),
    error: fc.option(text),
    tool_calls: fc.option(fc.array(fc.constant({ name: 'f' }), { maxLength: 1 })),
  },
  { requiredKeys: [] },
);

test('no event makes a rule throw, and a pending text gives the same label again', () => {
  fc.assert(
    fc.property(events, (event) => {
      const read = readFields(event, {}, { decisionOf: words });
      const before = read.prediction;
      const again = readAgain(read, { decisionOf: words }).prediction;
      assert.deepEqual([again.label, again.labelStatus], [before.label, before.labelStatus]);
      const without = readFields(event).prediction;
      const same = without.labelStatus === before.labelStatus && without.label === before.label;
      assert.ok(same || (without.labelStatus === 'missing' && before.labelStatus === 'inferred'));
    }),
  );
});

for (const pattern of ['(a*)*b', '(?:a|a?)+$b', '(a+)+$', '(.*)(.*)(.*)(.*)x$', 'words'] as const)
  test(`100 kB of text end: ${pattern}`, () => {
    const rules = decisionReading(
      pattern === 'words' ? rulesOf('words') : rulesOf([{ text: pattern, label: 'direct' }]),
    );
    for (const output of ['a'.repeat(100_000), "I'm ".repeat(25_000), `${'?'.repeat(50_000)}${' '.repeat(50_000)}`]) {
      labelOf(rules, { output });
    }
  });
