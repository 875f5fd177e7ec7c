import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readerOf } from '../../../src/config/settings.ts';
import { summaryDocument } from '../../../src/formats/summary/summary-document.ts';
import { truthFromRecords } from '../../../src/formats/truth/table.ts';
import { recordOf } from '../../support/event-reader.ts';
import { documentOf, type JsonDocument, protobufOf, spanOf } from '../../support/otlp.ts';
import type { NativeEvent } from '../../support/provider-forms.ts';
import { configWith, foldingOf, lazyViewWith } from '../../support/folding.ts';

/* Recorded traffic as native events, as OTLP/JSON and as protobuf gives the same summary to the last bit. */

const spansOfRecord = 16;

for (const name of ['when2call', 'tau-airline', 'mcpeval']) {
  const truth = truthFromRecords(linesOf(`${name}-truth`));
  // A span has an output that is text, and no empty list of calls.
  const events = linesOf<NativeEvent>(`${name}-predictions`).map(
    ({ output, tool_calls: calls, oracle: _, ...event }, number) => ({
      ...event,
      event_id: String(number),
      ...(typeof output === 'string' && { output }),
      ...(calls?.length && { tool_calls: calls }),
    }),
  );
  const documents = Array.from({ length: Math.ceil(events.length / spansOfRecord) }, (_, at) => {
    const first = at * spansOfRecord;
    const some = events.slice(first, first + spansOfRecord);
    return documentOf(some.map((event, index) => spanOf(event, first + index, index % 2 === 0)));
  });

  for (const [encoding, encode] of [
    ['OTLP/JSON', (document: JsonDocument) => JSON.stringify(document)],
    ['protobuf', protobufOf],
  ] as const)
    test(`${name}: ${encoding}`, () => {
      const native = events.map((event) => JSON.stringify(event));
      const expected = summaryOf(native, 'assay', truth);
      assert.match(expected, /"scored":[1-9]/);
      assert.equal(
        summaryOf(
          documents.map((document) => encode(document)),
          'otlp',
          truth,
        ),
        expected,
      );
    });
}

function linesOf<Line>(name: string): Line[] {
  const file = new URL(`../../../../test/fixtures/traffic/${name}.ndjson`, import.meta.url);
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function summaryOf(
  values: readonly (string | Uint8Array)[],
  format: string,
  truth: ReturnType<typeof truthFromRecords>,
): string {
  const config = configWith({ 'input.format': format });
  const { state, apply, end } = foldingOf(config, truth, { reader: readerOf(config, false) });
  apply(values.map((value, offset) => recordOf(value, { offset })));
  end();
  const { records, ...rest } = lazyViewWith(config, [state], state.numbers.greatestTs);
  // A trace is a run of one step here.
  const view = { ...rest, records: { ...records, steps: 0, runs: 0 } };
  const context = { version: '1', configHash: 'c', mode: 'spec', truth: null, partitions: ['t/0'], firsts: new Map() };
  return JSON.stringify(summaryDocument(view, context));
}
