import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { honest, judgeServer, quotedIn, status } from '../support/judge-server.ts';
import { withKafka } from '../support/kafka.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { runToEnd, stateSummary } from '../support/service.ts';
import { patience, until } from '../support/until.ts';
import { sceneOf } from '../support/scene.ts';

const examples = 400;
const concurrency = 4;

interface Judge {
  readonly n: number;
  readonly against_exact: unknown;
  readonly corrected: { readonly value: number };
}

const call = (city: string) => ({ name: 'book', arguments: { city } });
const indices = Array.from({ length: examples }, (_, i) => i);
const truth = indices.map((i) => ({ example_id: `e${i}`, expected_tool_calls: [call(`city ${i}`)] }));

/** Events of which three quarters are right. */
function traffic(): { key: string; value: string }[] {
  return indices.map((i) => {
    const tool_calls = [call(i % 4 === 0 ? 'nowhere' : `city ${i}`)];
    const ts = Date.now() - 600_000 + i;
    const event = { example_id: `e${i}`, event_id: `p${i}`, model: 'm', ts, tool_calls };
    return { key: `e${i}`, value: JSON.stringify(event) };
  });
}

withKafka('assay judge beside the service', (kafka) => {
  test('killed and stopped again and again: each example is judged, asked once but for those under way, and counted once', {
    timeout: patience * 120_000,
  }, async (context) => {
    const server = await judgeServer(context);
    server.usual = async (response, asked) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await honest(response, asked);
    };
    const judge = { endpoint: `${server.url}/v1/chat/completions`, model: 'stub', concurrency };
    const more = { kafka: { judgements_topic: await kafka().freshTopic(2) }, judge: { sample: 1, judge } };
    const { topic, config, state } = await sceneOf(context, kafka(), truth, { partitions: 2, more });
    await kafka().produce(topic, traffic());

    // Two kills, and an endpoint that is out for a while.
    for (let kill = 0; kill < 2; kill++) {
      const child = startProgram(['judge', '-c', config]);
      const before = server.asked.length;
      await until('questions are asked', () => server.asked.length > before + 60);
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    server.next.push(...Array.from({ length: 5 }, () => status(503)));
    const stopped = startProgram(['judge', '-c', config]);
    const before = server.asked.length;
    await until('it is back', () => server.asked.length > before + 60);
    stopped.kill('SIGTERM');
    assert.equal(((await once(stopped, 'exit')) as [number])[0], 0);

    const ended = await runProgram(['judge', '-c', config, '--until-end']);
    assert.equal(ended.status, 0, ended.stderr);
    const asked = server.asked.length - 5;
    assert.ok(asked <= examples + 2 * concurrency, `${asked} asked`);

    await runToEnd(config);
    const { groups, records: counted } = await stateSummary(state);
    const { n, against_exact: against, corrected } = groups[0]!['judge'] as Judge;
    assert.equal(n, examples);
    assert.deepEqual(against, { right: { pass: 300, fail: 0 }, wrong: { pass: 0, fail: 100 } });
    assert.equal(corrected.value, 0.75);
    assert.deepEqual([counted['scored'], counted['judgements']], [2 * examples, examples]);
    assert.ok(groups.some(({ window }) => window === '24h'));
  });

  test('an event is judged without truth when none has come, with what was asked, and not before', {
    timeout: 60_000,
  }, async (context) => {
    const server = await judgeServer(context);
    const judge = { endpoint: `${server.url}/v1/chat/completions`, model: 'stub' };
    const more = {
      kafka: { judgements_topic: await kafka().freshTopic(1) },
      ...{ judge: { sample: 1, judge }, join: { truth_wait: '1m' } },
    };
    const { topic, config, state } = await sceneOf(context, kafka(), truth, { more });
    const events = ['waits', 'too new'].map((id, at) => ({
      ...{ example_id: id, event_id: id, model: 'm', ts: Date.now() - 600_000 + 300_000 * at, input: `What of ${id}?` },
      tool_calls: [call('Rome')],
    }));
    await kafka().produce(
      topic,
      [...events, ...events].map((event) => ({ value: JSON.stringify(event) })),
    );
    const ended = await runProgram(['judge', '-c', config, '--until-end']);
    assert.equal(ended.status, 0, ended.stderr);
    assert.deepEqual(
      server.asked.map((asked) => (JSON.parse(quotedIn(asked).data) as { request: unknown }).request),
      ['What of waits?'],
    );
    await runToEnd(config);
    const { groups } = await stateSummary(state);
    const { n, unreferenced } = groups[0]!['judge'] as Judge & { unreferenced: { n: number } };
    assert.deepEqual([n, unreferenced.n], [0, 1]);
  });

  test('a spent budget makes records wait: it is told, nothing fails, and a stop loses nothing', {
    timeout: patience * 60_000,
  }, async (context) => {
    const server = await judgeServer(context);
    const chat = { endpoint: `${server.url}/v1/chat/completions`, model: 'stub' };
    const judge = { ...chat, price: { input: 1, output: 1 }, budget_usd_per_day: 0.005 };
    const more = { kafka: { judgements_topic: await kafka().freshTopic(1) }, judge: { sample: 1, judge } };
    const nothing = [{ example_id: 'a', expected_tool_calls: [] }];
    const { topic, config, state } = await sceneOf(context, kafka(), nothing, { more });
    const event = (i: number) => ({ example_id: 'a', event_id: `p${i}`, output: `answer ${i}`, tool_calls: [] });
    await kafka().produce(
      topic,
      Array.from({ length: 200 }, (_, i) => ({ value: JSON.stringify(event(i)) })),
    );
    const child = startProgram(['judge', '-c', config], { env: { ASSAY_HTTP__PORT: '0' } });
    let log = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => void (log += text));
    await until('the budget is spent', () => log.includes('judge.judge.budget_usd_per_day is spent'));
    const address = /"url":"([^"]+)"/.exec(log)![1]!;
    const ready = await fetch(`${address}/readyz`);
    assert.equal(ready.status, 503);
    assert.match(await ready.text(), /budget/);
    const page = await (await fetch(`${address}/metrics`)).text();
    assert.match(page, /assay_judge_hindered\{by="budget"\} 1/);
    assert.match(page, /assay_judge_failures_total 0/);
    child.kill('SIGTERM');
    assert.equal(((await once(child, 'exit')) as [number])[0], 0, log);
    assert.ok(server.asked.length > 0 && server.asked.length < 200);
    await runToEnd(config);
    const { groups } = await stateSummary(state);
    const { n } = groups[0]!['judge'] as Judge;
    assert.ok(n <= server.asked.length, `${n} of ${server.asked.length}`);
  });
});
