import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTopicTruth } from '../../../../src/formats/truth/topic.ts';
import { refusedBeside } from '../../../../src/service/door.ts';
import { jsonOf, problemIn, withDoor } from '../../../support/door.ts';
import { configWith } from '../../../support/folding.ts';
import { ask } from '../../../support/http.ts';

test('truth records are appended by their example, as the truth topic has them', async (context) => {
  const [a, b] = ['{"example_id": "a", "label": "direct"}', '{"example_id": "bö/1", "expected_tool_calls": []}'];
  await withDoor(context, async ({ server, intake, post }) => {
    const answer = await post('/v1/truth', `${a}\n{"example_id": "c", "label": "?"}\n${b}\n{"label": "direct"}`);
    const { accepted, rejected } = jsonOf(answer) as { accepted: number; rejected: Record<string, unknown>[] };
    assert.deepEqual([answer.status, accepted], [200, 2]);
    assert.deepEqual(
      rejected.map(({ index, code }) => [index, code]),
      [
        [1, 'schema'],
        [3, 'schema'],
      ],
    );
    const deleted = await ask(server, `/v1/truth/${encodeURIComponent('bö/1')}`, { method: 'DELETE' });
    assert.deepEqual([deleted.status, jsonOf(deleted)], [200, { accepted: 1, rejected: [] }]);
    assert.deepEqual(
      intake.appended.map(({ kind, key, value }) => [kind, key, value]),
      [
        ['truth', 'a', a],
        ['truth', 'bö/1', b],
        ['truth', 'bö/1', null],
      ],
    );
    for (const { key, value } of intake.appended) {
      const read = readTopicTruth(Buffer.from(key!), value === null ? null : Buffer.from(value));
      assert.ok('exampleId' in read && read.exampleId === key && (read.row === undefined) === (value === null));
    }
  });
});

test('a record that says nothing of what is expected is no empty truth', async (context) => {
  const rows: readonly (readonly [row: string, code: string | undefined, text: RegExp])[] = [
    ['{"example_id": "a", "answer": "get_weather"}', 'no_expectation', /nothing reads answer; rename it, or say/],
    ['{"example_id": "a", "forbidden": [], "alternatives": []}', 'no_expectation', /says nothing of what is expected/],
    ['{"example_id": "a"}', 'no_expectation', /says nothing of what is expected: .* is given; give one of them/],
    ['{"example_id": "a", "golden": 1, "note": "x"}', 'no_expectation', /nothing reads golden, note; rename them/],
    [
      '{"example_id": "a", "expected_calls": [{"name": "f", "arguments": {}}]}',
      'schema',
      /truth-field expected_tool_calls/,
    ],
    ['{"example_id": "a", "label": "direct", "note": "x"}', undefined, /^/],
    ['{"example_id": "a", "tools": [], "note": "x"}', undefined, /^/],
  ];
  await withDoor(context, async ({ intake, post }) => {
    for (const [row, code, text] of rows) {
      intake.appended.length = 0;
      const answer = await post('/v1/truth', row);
      const { rejected } = jsonOf(answer) as { rejected: readonly { code: string }[] };
      assert.deepEqual([answer.status, rejected[0]?.code], [code === undefined ? 200 : 400, code], row);
      assert.match(answer.bytes.toString(), text, row);
      assert.equal(intake.appended.length, code === undefined ? 1 : 0);
    }
  });
});

test('an id that no example has is not deleted', async (context) => {
  await withDoor(context, async ({ server, intake }) => {
    for (const [path, status] of [
      ['/v1/truth/', 404],
      ['/v1/truth/%zz', 400],
      [`/v1/truth/${'x'.repeat(513)}`, 400],
      ['/v1/truth/%00', 400],
      ['/v1/truth/a/b', 404],
    ] as const)
      assert.equal((await ask(server, path, { method: 'DELETE' })).status, status, path);
    assert.deepEqual(intake.appended, []);
  });
});

test('beside Kafka, truth needs a topic', (context) =>
  withDoor(
    context,
    async ({ server, post }) => {
      const answer = await post('/v1/truth', '{"example_id": "a", "label": "direct"}');
      assert.equal(answer.status, 404);
      assert.match(problemIn(answer), /truth is not taken; name a topic for it in kafka.truth_topic/);
      assert.equal((await ask(server, '/v1/truth/a', { method: 'DELETE' })).status, 404);
      assert.equal((await post('/v1/events', '{"example_id": "a", "tool_calls": []}')).status, 200);
    },
    { refused: refusedBeside(configWith()) },
  ));
