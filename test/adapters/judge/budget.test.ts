import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../support/until.ts';
import { json } from '../../support/judge-server.ts';
import { bench, material, never, price } from '../../support/judge-bench.ts';

describe('the budget', () => {
  test('is never passed, with 16 answers under way; what waits for it is not failed', async (context) => {
    const usdPerDay = 200;
    const { server, judge, waits } = await bench(context, 'chat', { usdPerDay });
    const stop = new AbortController();
    const usage = { prompt_tokens: 1_000, completion_tokens: 100 };
    let spent = 0;
    server.usual = async (response) => {
      // So much fits that all sixteen ask at once; the first answers wait for that.
      await until('sixteen are under way', () => server.flight.most === 16);
      spent += (usage.prompt_tokens * price.input + usage.completion_tokens * price.output) / 1e6;
      json(response, { choices: [{ message: { content: '{"score": 6}' } }], usage });
    };
    let left = 400;
    const asking = Array.from({ length: 16 }, async () => {
      const answers = [];
      while (left-- > 0) answers.push(await judge.ask(material, stop.signal));
      return answers;
    });
    await until('no further question fits into the day', () => waits.at(-1) === true);
    stop.abort();
    const answers = (await Promise.all(asking)).flat();
    assert.ok(spent <= usdPerDay, `${spent} USD`);
    assert.ok(server.asked.length > 80, `${server.asked.length} asked`);
    assert.equal(answers.filter((answer) => answer?.score === 6).length, server.asked.length);
    assert.equal(answers.filter((answer) => answer?.failed !== undefined).length, 0);
  });

  test('one that no question fits into is an error', async (context) => {
    const { judge } = await bench(context, 'chat', { usdPerDay: 0.000001 });
    await assert.rejects(judge.ask(material, never), /budget_usd_per_day is 0.000001/);
  });
});
