import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { FormatName } from '../../../src/formats/inputs/forms.ts';
import { toolName } from '../../../src/scoring/tool.ts';
import { codesOf, eventOf, rejectedOf } from '../../support/event-reader.ts';
import { readInput } from '../../support/input.ts';

/* Answers that providers gave, recorded by others (test/fixtures/README.md), with the calls and tools that were read off them. */

interface Recorded {
  readonly origin: string;
  readonly format: FormatName | 'stream';
  readonly request: object;
  readonly response: object | string;
  readonly calls: readonly object[];
  readonly tools: readonly (string | null)[];
}

const file = new URL('../../../../test/fixtures/inputs/recorded-answers.ndjson', import.meta.url);
const recorded = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

const places = { response: '/response', request: '/request', fields: { example_id: '=e' } };

for (const [index, { origin, format, request, response, calls, tools }] of recorded.entries()) {
  describe(`answer ${index}: ${format}, ${origin}`, () => {
    if (format === 'stream') {
      test('a stream is refused, and the detail says so', () => {
        for (const { events } of [
          readInput({ response }, { format: 'auto', ...places }),
          readInput(response, { format: 'auto' }),
        ]) {
          assert.deepEqual(codesOf(events), ['schema']);
          assert.match(rejectedOf(events).detail, /is a stream of server-sent events/);
        }
      });
      return;
    }
    for (const named of [format, 'auto'] as const)
      test(`format ${named}`, () => {
        const { events } = readInput({ request, response }, { format: named, ...places });
        assert.equal(events.length, 1);
        const { prediction } = eventOf(events);
        assert.deepEqual(prediction.calls ?? [], calls);
        assert.deepEqual(
          prediction.tools?.map((tool) => toolName(tool) ?? null),
          tools,
        );
      });
  });
}
