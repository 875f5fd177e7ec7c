import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusal } from '../support/configuration.ts';

test('a field that no event has is named, with those that there are', (context) => {
  const form =
    'is no field of an event; fields are example_id, event_id, ts, model, agent, run, label, tool_calls, tools, output, error, success, tags and tags.<name>';
  const given = { yaml: 'input: {fields: {exampleid: /id}}\n' };
  assert.deepEqual(refusal(context, given), [`assay.yaml:1:18: input.fields.exampleid: ${form}`]);
});
