import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bench, material, never } from '../../support/judge-bench.ts';
import { type Behaviour, embeds, json } from '../../support/judge-server.ts';

describe('embeddings', () => {
  test('the cosine of what was expected and what was done', async (context) => {
    const { server, judge } = await bench(context, 'embeddings');
    server.usual = embeds((text) => (text.includes('"f"') ? [1, 0] : [3, 4]));
    const answer = await judge.ask(material, never);
    assert.ok(Math.abs(answer!.score! - 0.6) < 1e-12);
    assert.deepEqual(answer!.usage, { inputTokens: 20, outputTokens: 0 });
  });

  test('a vector of length 0 gives 0', async (context) => {
    const { server, judge } = await bench(context, 'embeddings');
    server.usual = embeds((text) => (text.includes('"f"') ? [0, 0] : [3, 4]));
    assert.equal((await judge.ask(material, never))!.score, 0);
  });

  const wrong: Readonly<Record<string, (text: string) => unknown>> = {
    'NaN as null': () => [1, null],
    'text for a number': () => [1, 'x'],
    'an empty vector': () => [],
    'another dimension': (text) => (text.includes('"f"') ? [1, 2] : [1, 2, 3]),
  };
  for (const [name, of] of Object.entries(wrong))
    test(`${name} is a failure, and the log names the endpoint`, async (context) => {
      const { server, judge, lines } = await bench(context, 'embeddings');
      server.usual = embeds(of);
      const answer = await judge.ask(material, never);
      assert.deepEqual([answer!.score, answer!.failed], [undefined, 'error']);
      assert.match(JSON.stringify(lines), new RegExp(`${server.url}/v1/embeddings`));
    });

  const misfits: Readonly<Record<string, Behaviour>> = {
    'a vector for each token': embeds(() => [
      [1, 2],
      [3, 4],
    ]),
    'one embedding for two texts': (response) => json(response, { data: [{ index: 0, embedding: [1] }] }),
    'no list': (response) => json(response, { data: 'x' }),
    base64: embeds(() => 'AAAA'),
  };
  for (const [name, behaviour] of Object.entries(misfits))
    test(`${name} is an error that names the endpoint`, async (context) => {
      const { server, judge } = await bench(context, 'embeddings');
      server.usual = behaviour;
      await assert.rejects(judge.ask(material, never), new RegExp(`EndpointError: ${server.url}/v1/embeddings: `));
    });

  test('NaN in the text is no JSON: unparseable', async (context) => {
    const { server, judge } = await bench(context, 'embeddings');
    server.usual = (response) =>
      void response.writeHead(200).end('{"data": [{"embedding": [NaN]}, {"embedding": [1]}]}');
    assert.equal((await judge.ask(material, never))!.failed, 'unparseable');
  });
});
