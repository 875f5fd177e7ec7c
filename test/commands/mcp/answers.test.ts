import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerCharacters, explainAnswer, failuresAnswer } from '../../../src/commands/mcp/answers.ts';
import type { KnownEvent, Source } from '../../../src/commands/mcp/source.ts';
import type { SummaryDocument } from '../../../src/formats/summary/summary-document.ts';

/** A source of events alone. */
function sourceOf(failures: readonly KnownEvent[]): Source {
  const none = { groups: [] } as unknown as SummaryDocument;
  return { summary: async () => none, incidents: async () => none, events: async () => ({ failures, suspects: [] }) };
}

const failure = (id: string, characters: number): KnownEvent => ({
  example_id: id,
  slice: { model: 'm' },
  text: 'x'.repeat(characters),
});
const rows: readonly [what: string, failures: readonly KnownEvent[], shown: number, more: number][] = [
  ['few', [failure('a', 10)], 1, 0],
  ['many', Array.from({ length: 1_000 }, () => failure('a', 10)), 20, 980],
  ['many that are long', Array.from({ length: 1_000 }, () => failure('a', 4_000)), 5, 995],
];

for (const [what, failures, shown, more] of rows)
  test(`an answer is bounded: ${what}`, async () => {
    const text = await failuresAnswer(sourceOf(failures), 'm');
    assert.ok(text.length <= answerCharacters);
    const answer = JSON.parse(text) as { readonly failures: readonly unknown[]; readonly more_failures: number };
    assert.deepEqual([answer.failures.length, answer.more_failures], [shown, more]);
  });

test('an answer is bounded: one that is too long is cut, and says so', async () => {
  const text = await explainAnswer(sourceOf([failure('a', 100_000)]), 'a');
  assert.ok(text.length <= answerCharacters);
  assert.match(text, /… \(cut\)$/);
});
