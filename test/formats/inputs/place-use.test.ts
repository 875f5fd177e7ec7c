import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readerOf } from '../../../src/config/settings.ts';
import { configWith } from '../../support/folding.ts';
import { recordOf } from '../../support/event-reader.ts';

/*
 * A place of the configuration that no record had is reported, with the places that are there.
 */

const call = { name: 'f', arguments: {} };
const event = { example_id: 'e', output: { tool_calls: [call] }, metadata: { id: 'm', who: 'x' }, error: null };
const span = {
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: [
            {
              attributes: [
                { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
                {
                  key: 'gen_ai.output.messages',
                  value: { stringValue: '[{"role":"assistant","parts":[{"type":"text","content":"x"}]}]' },
                },
                { key: 'assay.example_id', value: { stringValue: 'e' } },
                { key: 'tenant', value: { stringValue: 't' } },
              ],
            },
          ],
        },
      ],
    },
  ],
};

const cases: readonly (readonly [
  what: string,
  fields: object,
  records: readonly object[],
  notices: readonly string[],
])[] = [
  [
    'a slip in a name',
    { tool_calls: '/ouput/tool_calls' },
    [event, event, event],
    ['tool_calls: nothing at /ouput/tool_calls in 3 of 3 records; /output/tool_calls is there'],
  ],
  [
    'a level too high',
    { agent: '/who' },
    [event],
    ['agent: nothing at /who in 1 of 1 records; /metadata/who is there'],
  ],
  [
    'several places, none of them there',
    { run: ['/nowhere', 'header:attempt', 'key'] },
    [event],
    ['run: nothing at /nowhere, header:attempt, key in 1 of 1 records; /error, /output, /metadata are there'],
  ],
  [
    'a header of records without any',
    { run: 'header:attempt' },
    [event],
    ['run: nothing at header:attempt in 1 of 1 records; nothing like it is there'],
  ],
  ['one record has it', { agent: '/who' }, [event, { ...event, who: 'x' }], []],
  ['a place that holds null is there', { error: '/error' }, [event], []],
  ['a constant', { agent: '=bot' }, [event], []],
  ['no record was read', { agent: '/who' }, [], []],
  [
    'an attribute of a span',
    { agent: 'attribute:tennant' },
    [span],
    [
      'agent: nothing at attribute:tennant in 1 of 1 records; attribute:tenant, attribute:assay.example_id, attribute:gen_ai.operation.name are there',
    ],
  ],
  [
    'a tag',
    { 'tags.tenant': '/metadata/tenant' },
    [event],
    ['tags.tenant: nothing at /metadata/tenant in 1 of 1 records; /metadata/id, /metadata/who are there'],
  ],
];

for (const [what, fields, records, notices] of cases)
  test(`places: ${what}`, () => {
    const reader = readerOf(configWith({ 'input.fields': fields }), false);
    for (const record of records) reader.read(recordOf(JSON.stringify(record)));
    assert.deepEqual(reader.notices!(), notices);
  });

test('places: choices and elements are looked at once a record', () => {
  const fields = { run: '/attempt' };
  const reader = readerOf(configWith({ 'input.fields': fields }), false);
  const choice = { message: { content: 'x' } };
  reader.read(recordOf(JSON.stringify({ example_id: 'e', choices: [choice, choice] })));
  reader.read(recordOf(JSON.stringify([event, event])));
  assert.match(reader.notices!()[0]!, /^run: nothing at \/attempt in 3 of 3 records/);
});

test('places: the place of the request is a place too', () => {
  const reader = readerOf(configWith({ 'input.request': '/requets' }), false);
  reader.read(recordOf(JSON.stringify({ ...event, request: {} })));
  assert.deepEqual(reader.notices!(), [
    'request: nothing at /requets in 1 of 1 records; /request, /error, /metadata are there',
  ]);
});

const tagged: readonly (readonly [what: string, tags: readonly unknown[], notices: readonly string[]])[] = [
  [
    'none has it',
    [{ tenant: 'a' }, null],
    ['slices by tags.tennant: none of 2 events has this tag; they have tags.tenant'],
  ],
  ['none has any', [undefined], ['slices by tags.tennant: none of 1 events has this tag; they have no tags']],
  ['one has it', [{ tenant: 'a' }, { tennant: 'b' }], []],
  ['tags as a list', [['a']], ['slices by tags.tennant: none of 1 events has this tag; they have no tags']],
];

for (const [what, tags, notices] of tagged)
  test(`tags of slices: ${what}`, () => {
    const reader = readerOf(configWith({ slices: [['tags.tennant']] }), false);
    for (const each of tags) reader.read(recordOf(JSON.stringify({ example_id: 'e', label: 'direct', tags: each })));
    assert.deepEqual(reader.notices!(), notices);
  });
