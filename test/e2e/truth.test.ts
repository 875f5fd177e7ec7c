import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTruthTable } from '../../src/formats/truth/builder.ts';
import { readTruthRecord, type TruthRecord } from '../../src/formats/truth/record.ts';
import { withKafka } from '../support/kafka.ts';
import { replaceFile } from '../support/replace-file.ts';
import { serviceConfig, startService, type TestService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const ts = Date.UTC(2026, 4, 1);

function truthLine(id: string, label: string): string {
  return JSON.stringify({ example_id: id, label });
}

function put(path: string, ...lines: readonly string[]): void {
  replaceFile(path, buildTruthTable(lines.map((line) => readTruthRecord(line) as TruthRecord)));
}

function prediction(id: string, label: string): { readonly key: string; readonly value: string } {
  return { key: id, value: JSON.stringify({ example_id: id, label, ts }) };
}

interface Counts {
  readonly truth: { readonly version: string; readonly rows: number };
  readonly records: { readonly read: number; readonly scored: number; readonly pending: number };
  /** Right of all. */
  readonly accuracy: readonly [number, number];
}

async function counts(service: TestService): Promise<Counts> {
  const { truth, records, groups } = (await service.summary()) as unknown as {
    truth: Counts['truth'];
    records: Counts['records'];
    groups: { decision: { accuracy: { numerator: number; denominator: number } } | null }[];
  };
  const { numerator, denominator } = groups[0]?.decision?.accuracy ?? { numerator: 0, denominator: 0 };
  return { truth, records, accuracy: [numerator, denominator] };
}

withKafka('truth that changes', (kafka) => {
  const settings = (folder: string, topic: string, truth: readonly string[]) => ({
    brokers: kafka().brokers,
    topics: [topic],
    group: kafka().freshGroup(),
    truth,
    folder,
  });

  test('a bad file at start is named until it is replaced; a better one resolves what waits; a bad one changes nothing', async (context) => {
    const folder = temporaryFolder(context);
    const path = join(folder, 'truth.arrow');
    const topic = await kafka().freshTopic();
    writeFileSync(path, 'nonsense');
    const service = startService(serviceConfig(settings(folder, topic, [path])));
    context.after(() => service.kill('SIGKILL'));
    await until('it is not ready, and says why', async () =>
      /truth\.arrow.*is text that begins with "nonsense"/.test(await service.text('/readyz?verbose')),
    );
    put(path, truthLine('a', 'direct'));
    await kafka().produce(topic, [prediction('a', 'direct'), prediction('b', 'direct')]);
    await until('a is scored, and b waits', async () => {
      const { scored, pending } = (await counts(service)).records;
      return scored === 1 && pending === 1;
    });
    put(path, truthLine('a', 'direct'), truthLine('b', 'tool_call'));
    await until('b is scored', async () => (await counts(service)).records.scored === 2);
    const before = await counts(service);
    assert.deepEqual(before.accuracy, [1, 2]);
    writeFileSync(path, 'nonsense');
    await until('the refusal is counted', async () =>
      /assay_truth_reload_failures_total 2\b/.test(await service.text('/metrics')),
    );
    await kafka().produce(topic, [prediction('b', 'tool_call')]);
    await until('the version in use goes on', async () => (await counts(service)).records.scored === 3);
    assert.deepEqual((await counts(service)).truth, before.truth);
    assert.equal(await service.stop(), 0, service.log());
    assert.equal(service.log().match(/the truth in use stays/g)?.length, 1);
  });

  test('rows of the truth topic lie over the files, are all read before predictions are, and are followed', async (context) => {
    const folder = temporaryFolder(context);
    const path = join(folder, 'truth.arrow');
    put(path, truthLine('a', 'direct'), truthLine('b', 'direct'));
    const topic = await kafka().freshTopic(2);
    const truthTopic = await kafka().freshTopic(3, { 'cleanup.policy': 'compact' });
    const rows = Array.from({ length: 3_000 }, (_, i) => ({ key: `x${i}`, value: truthLine(`x${i}`, 'direct') }));
    await kafka().produce(truthTopic, [
      ...rows,
      { key: 'a', value: truthLine('a', 'tool_call') },
      { key: 'b', value: truthLine('b', 'tool_call') },
      { key: 'b', value: null },
      { key: 'c', value: '{"label": "tool_call"}' },
      { key: 'd', value: '{"label": "perhaps"}' },
      { key: 'e', value: truthLine('f', 'direct') },
    ]);
    const ids = ['a', 'b', 'c', 'd', 'x0', 'x2999'];
    await kafka().produce(
      topic,
      ids.map((id) => prediction(id, 'tool_call')),
    );
    const more = { kafka: { truth_topic: truthTopic } };
    const service = startService(serviceConfig({ ...settings(folder, topic, [path]), more }));
    context.after(() => service.kill('SIGKILL'));
    await until('everything is read', async () => (await counts(service)).records.read === ids.length);
    const first = await counts(service);
    assert.deepEqual([first.records.scored, first.records.pending, first.accuracy], [5, 1, [2, 5]]);
    assert.equal(first.truth.rows, 2 + rows.length + 2);
    await until('the bad rows are counted', async () =>
      /assay_truth_rejects_total 2\b/.test(await service.text('/metrics')),
    );
    await kafka().produce(truthTopic, [{ key: 'a', value: null }]);
    await until('the row is deleted', async () => (await counts(service)).truth.rows === first.truth.rows - 1);
    await kafka().produce(truthTopic, [{ key: 'd', value: truthLine('d', 'tool_call') }]);
    await until('d is scored', async () => (await counts(service)).records.pending === 0);
    await kafka().produce(topic, [prediction('a', 'direct')]);
    await until('the row of the file holds again', async () => (await counts(service)).records.scored === 7);
    const last = await counts(service);
    assert.deepEqual(last.accuracy, [4, 7]);
    assert.equal(await service.stop(), 0, service.log());

    const other = startService(serviceConfig({ ...settings(folder, topic, [path]), more }));
    context.after(() => other.kill('SIGKILL'));
    await until('another group has scored it all', async () => (await counts(other)).records.scored === 7);
    assert.deepEqual((await counts(other)).truth, last.truth);
    assert.equal(await other.stop(), 0, other.log());
  });
});
