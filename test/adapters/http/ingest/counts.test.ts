import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { withDoor } from '../../../support/door.ts';
import { documentOf, protobufOf } from '../../../support/otlp.ts';
import { spanWith } from '../../../support/step-reader.ts';

const json = { 'content-type': 'application/json' };
const event = (id: string) => JSON.stringify({ example_id: id, tool_calls: [] });

test('the door counts its requests by status, what became of their records, and bytes as they are read', async (context) => {
  await withDoor(context, async ({ post, intake, counts }) => {
    const of = (path: string) => {
      const { requests, records, bytes } = counts.paths.get(path)!;
      return { requests: Object.fromEntries(requests), records, bytes };
    };
    assert.deepEqual(of('/v1/logs'), { requests: { 200: 0 }, records: 0, bytes: 0 });
    const lines = `${event('a')}\n${event('b')}\n{"example_id": 7}\nnonsense`;
    await post('/v1/events', lines);
    await post('/v1/events', gzipSync(event('a')), { ...json, 'content-encoding': 'gzip' });
    await post('/v1/events', '[]');
    intake.refused = { status: 429, reason: 'too much waits; come again', retryAfter: 1 };
    await post('/v1/events', event('a'));
    intake.refused = undefined;
    const bytes = lines.length + event('a').length + '[]'.length;
    assert.deepEqual(of('/v1/events'), { requests: { 200: 2, 400: 1, 429: 1 }, records: 3, bytes });
    await post('/v1/truth', '{"example_id": "a", "label": "direct"}\n{"example_id": "a", "answer": 1}');
    assert.equal(of('/v1/truth').records, 1);
    const spans = ['eee19b7ec3c1b1a1', 'eee19b7ec3c1b1a2'].map((spanId) => spanWith({ x: 'y' }, { spanId }));
    const sent = Buffer.from(protobufOf(documentOf(spans)));
    await post('/v1/traces', sent, { 'content-type': 'application/x-protobuf' });
    assert.deepEqual(of('/v1/traces'), { requests: { 200: 1 }, records: 2, bytes: sent.length });
    assert.deepEqual(Object.fromEntries(counts.rejects), { schema: 1, not_json: 1, no_expectation: 1 });
    assert.equal(
      counts.appendSeconds.counts.reduce((sum, count) => sum + count, 0),
      4,
    );
    assert.ok(counts.appendSeconds.sum > 0);
  });
});
