import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bench, good, material, never, price } from '../../support/judge-bench.ts';
import { until } from '../../support/until.ts';

describe('the budget', () => {
  test('is never passed, with 16 answers under way; what waits for it is not failed', async (context) => {
    const usdPerDay = 30;
    const { server, judge, waits } = await bench(context, 'chat', { usdPerDay });
    const stop = new AbortController();
    let spent = 0;
    server.usual = async (response, asked) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      spent += (100 * price.input + 10 * price.output) / 1e6;
      return good(response, asked);
    };
    let left = 400;
    const asking = Array.from({ length: 16 }, async () => {
      const answers = [];
      while (left-- > 0) answers.push(await judge.ask(material, stop.signal));
      return answers;
    });
    await until('the budget is spent', () => waits.at(-1) === true);
    assert.ok(server.flight.most > 1);
    stop.abort();
    const answers = (await Promise.all(asking)).flat();
    assert.ok(spent <= usdPerDay, `${spent} USD`);
    assert.ok(server.asked.length > 20, `${server.asked.length} asked`);
    assert.equal(answers.filter((answer) => answer?.score === 6).length, server.asked.length);
    assert.equal(answers.filter((answer) => answer?.failed !== undefined).length, 0);
  });

  test('one that no question fits into is an error', async (context) => {
    const { judge } = await bench(context, 'chat', { usdPerDay: 0.000001 });
    await assert.rejects(judge.ask(material, never), /budget_usd_per_day is 0.000001/);
  });
});
