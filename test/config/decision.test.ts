import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusal } from '../support/configuration.ts';

/* What is no list of rules (docs/reference/inputs.md, "Decisions from words"). */

const refused: readonly (readonly [string, string])[] = [
  [
    'decision: {rules: word}',
    `1:19: decision.rules: "word" is neither words, off, nor a list of rules; write them as [{text: '(?i)sorry', label: cannot_answer}, {label: direct}]`,
  ],
  [
    'decision: {rules: []}',
    "1:19: decision.rules: [] is neither words, off, nor a list of rules; write them as [{text: '(?i)sorry', label: cannot_answer}, {label: direct}]",
  ],
  [
    'decision: {rules: [{tex: a, label: direct}]}',
    '1:21: decision.rules[0].tex: unknown key; did you mean decision.rules[0].text?',
  ],
  ['decision: {rules: [{text: a}]}', '1:20: decision.rules[0].label: is missing'],
  [
    'decision: {rules: [{label: yes}]}',
    '1:28: decision.rules[0].label: "yes" is none of direct, tool_call, request_for_info, cannot_answer',
  ],
  [
    'decision: {rules: [{question: false, label: direct}]}',
    '1:31: decision.rules[0].question: false is not true; leave it out where it does not matter',
  ],
  [
    "decision: {rules: [{text: 'a(?=b)', label: direct}]}",
    '1:27: decision.rules[0].text: "a(?=b)" is no regular expression of RE2: error parsing regexp: invalid or unsupported Perl syntax: `(?=`; lookaround and back references are none',
  ],
];

for (const [yaml, expected] of refused)
  test(`refused: ${yaml}`, (context) => assert.deepEqual(refusal(context, { yaml }), [`assay.yaml:${expected}`]));
