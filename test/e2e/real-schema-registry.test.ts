import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startApicurio } from '../support/apicurio.ts';
import { withKafka } from '../support/kafka.ts';
import { runProgram } from '../support/program.ts';
import { withPython } from '../support/python.ts';
import { type RecordedFrames, recordedFrames } from '../support/schema-registry.ts';
import { serviceConfig } from '../support/service.ts';
import { soak } from '../support/soak.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const title = 'give the numbers of native events';
const packages = [
  ...['confluent-kafka==2.16.1', 'fastavro==1.13.1', 'grpcio-tools==1.85.1', 'protobuf==7.36.2', 'requests==2.34.2'],
  ...['httpx==0.28.1', 'authlib==1.9.10', 'cachetools==8.0.2', 'attrs==26.1.0', 'jsonschema==4.26.0'],
  ...['orjson==3.13.0', 'googleapis-common-protos==1.76.0'],
];

/** Events of many kinds: more than the recorded ones say. */
function manyEvents(count: number): object[] {
  const { events } = recordedFrames();
  return Array.from({ length: count }, (_, at) => ({
    ...events[at % events.length],
    example_id: `e-${at}`,
    run: at % 3,
  }));
}

// Neither the packages nor the registry are fetched for nothing.
if (!soak) test(`values of Confluent's client ${title}`, { skip: 'a registry of 140 MB: npm run test:soak' });
else
  withPython(
    "values of Confluent's client",
    (python) => {
      withKafka('with a registry', (kafka) => {
        test(title, { timeout: 600_000 }, async (context) => {
          const folder = temporaryFolder(context);
          const registry = await startApicurio(context);
          const events = manyEvents(2_000);
          const framed = await python<RecordedFrames>('write_frames.py', { registry, events });
          const truth = join(folder, 'truth.ndjson');
          const label = (at: number): string => (at % 2 === 0 ? 'tool_call' : 'direct');
          writeFileSync(truth, events.map((_, at) => `{"example_id":"e-${at}","label":"${label(at)}"}\n`).join(''));
          writeFileSync(join(folder, 'events.ndjson'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
          const replay = ['replay', '--events', join(folder, 'events.ndjson'), '--truth', truth, '--summary', '-'];
          const expected = JSON.parse((await runProgram(replay)).stdout) as Summary;
          for (const values of Object.values(framed.values)) {
            const topic = await kafka().freshTopic();
            await kafka().produce(
              topic,
              values.map((value) => ({ value: Buffer.from(value, 'base64') })),
            );
            const state = join(folder, topic);
            const more = { kafka: { schema_registry: { url: registry } }, state: { dir: state } };
            const settings = { brokers: kafka().brokers, topics: [topic], group: kafka().freshGroup(), folder };
            const config = serviceConfig({ ...settings, truth: [truth], more });
            const { status, stderr } = await runProgram(['run', '-c', config, '--until-end']);
            assert.equal(status, 0, stderr);
            const found = JSON.parse((await runProgram(['state', 'summary', state])).stdout) as Summary;
            assert.equal(found.records.read, events.length);
            assert.deepEqual(allOf(found), allOf(expected));
          }
        });
      });
    },
    packages,
  );

interface Summary {
  readonly records: { readonly read: number };
  readonly groups: readonly { readonly window: string }[];
}

function allOf({ groups }: Summary): object[] {
  return groups.filter(({ window }) => window === 'all');
}
