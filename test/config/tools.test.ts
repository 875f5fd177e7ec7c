import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusal } from '../support/configuration.ts';

/* Rules of names that are none (docs/reference/inputs.md, "Names of tools"). */

const rules =
  "is neither common nor a list of rules; write them as [{strip: '^functions[.]'}, {replace: '[.]', with: _}, {from: get-weather, to: get_weather}]";
const rule = 'is no rule; write {strip: PATTERN}, {replace: PATTERN, with: TEXT} or {from: NAME, to: NAME}';

const refused: readonly (readonly [string, string])[] = [
  ['tools: {rename: comon}', `1:17: tools.rename: "comon" ${rules}`],
  ['tools: {rename: [{strip: a, with: b}]}', `1:18: tools.rename[0]: {"strip":"a","with":"b"} ${rule}`],
  ['tools: {rename: [{replace: a}]}', `1:18: tools.rename[0]: {"replace":"a"} ${rule}`],
  [
    'tools: {rename: [{strip: "a(?=b)"}]}',
    '1:26: tools.rename[0].strip: "a(?=b)" is no regular expression of RE2: error parsing regexp: invalid or unsupported Perl syntax: `(?=`; lookaround and back references are none',
  ],
  ['tools: {known: a}', '1:16: tools.known: "a" is not a list; write it as [get_weather]'],
];

for (const [yaml, expected] of refused)
  test(`refused: ${yaml}`, (context) => assert.deepEqual(refusal(context, { yaml }), [`assay.yaml:${expected}`]));
