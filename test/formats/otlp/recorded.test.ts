import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { recordReading } from '../../../src/formats/otlp/reading.ts';
import { codesOf, eventOf, eventReader, recordOf } from '../../support/event-reader.ts';
import { skippedIn } from '../../support/otlp.ts';

/* What SDKs of OpenTelemetry exported (test/fixtures/README.md). */

const model = 'gpt-4.1-mini-2025-04-14';
const calls = [
  { name: 'get_weather', arguments: { city: 'Paris', days: 2 } },
  { name: 'get_time', arguments: { city: 'Paris' } },
];
const rows = [
  { id: 'example-0', model, run: -1, calls, output: { kind: 'absent' } },
  { id: 'example-1', model, run: -1, calls: undefined, output: { kind: 'text', text: 'Which city do you mean?' } },
  { id: 'example-2', model, run: 0, calls: undefined, output: { kind: 'text', text: 'Option A' } },
  { id: 'example-2', model, run: 1, calls: undefined, output: { kind: 'text', text: 'Option B' } },
];
/** The others have two kinds of requests: one for the two calls, one that is answered in words. */
const asked = { id: 'example-0', run: -1, calls, output: { kind: 'absent' } };
const vague = { ...rows[1]!, run: -1 };
const pairOf = (name: string): typeof rows => [
  { ...asked, model: name },
  { ...vague, model: name },
];
const gpt = pairOf('gpt-4.1-mini');
/** A stream begins with an empty text. */
const streamed = [{ ...gpt[0]!, output: { kind: 'text', text: '' } }, gpt[1]!];
/** That instrumentation keeps the first choice alone. */
const firstChoices = [...rows.slice(0, 2), { ...rows[2]!, run: -1 }];
/** A request that failed has no messages, and is an event all the same. */
const failed = { id: 'example-3', model: 'gpt-4.1-mini', run: -1, calls: undefined, output: { kind: 'absent' } };

for (const [file, expected, tools, spansIgnored] of [
  ['python-openai-v2.binpb', [...rows, failed], false, 4],
  ['collector.binpb', [...rows, failed], false, 4],
  ['collector.json', [...rows, failed], false, 4],
  ['python-openllmetry.binpb', [...rows, failed], true, 4],
  ['python-openllmetry-responses.binpb', [...gpt, ...streamed, ...gpt], true, 6],
  ['python-anthropic.binpb', pairOf('claude-sonnet-4-5'), true, 4],
  ['python-google-genai.binpb', pairOf('gemini-2.5-flash'), true, 2],
  ['javascript-openllmetry.binpb', firstChoices, true, 4],
  ['javascript-openllmetry.json', firstChoices, true, 4],
  ['javascript-openai.binpb', [failed], false, 7],
  ['javascript-openai.json', [failed], false, 7],
] as const)
  for (const format of ['otlp', 'auto'] as const)
    test(`${file} as ${format}`, () => {
      const bytes = readFileSync(new URL(`../../../../test/fixtures/inputs/otlp/${file}`, import.meta.url));
      const reading = recordReading({
        format,
        response: undefined,
        request: undefined,
        fields: {},
        depth: 64,
        runs: 'span',
      });
      const read = eventReader({ maxFutureMs: undefined, ...reading }).read(recordOf(bytes));
      assert.deepEqual(
        [codesOf(read.events), skippedIn(read, 'spans_ignored')],
        [expected.map(() => ''), spansIgnored],
      );
      const ids = new Set<string>();
      expected.forEach((row, at) => {
        const { exampleId, eventId, ts, model, agent, run = -1, prediction } = eventOf(read.events, at);
        assert.deepEqual(
          {
            id: exampleId,
            model,
            run,
            calls: prediction.calls?.map(({ name, arguments: given }) => ({ name, arguments: given })),
            output: prediction.output,
          },
          row,
        );
        assert.equal(agent, 'travel-agent');
        assert.equal(prediction.tools?.length, tools ? 2 : undefined);
        assert.match(eventId!, /^[0-9a-f]{32}-[0-9a-f]{16}(#[01])?$/);
        assert.ok(Math.abs(ts - Date.UTC(2026, 10, 24)) < 30 * 86_400_000);
        ids.add(eventId!);
      });
      assert.equal(ids.size, expected.length);
    });
