import { createInterface } from 'node:readline';
import { createLog } from '../../src/adapters/log.ts';
import { startWorkers } from '../../src/commands/run/workers.ts';
import { workersOf } from '../../src/commands/run/workers-of.ts';
import { loadConfig } from '../../src/config/load.ts';
import { serviceConfig } from '../../src/config/log-inside.ts';
import type { IntakeKind } from '../../src/ports.ts';
import { groupReading } from '../../src/service/group-states.ts';
import { createHearing } from '../../src/service/hear-scorer.ts';
import { openLogInside } from '../../src/service/log-inside.ts';
import { createReadModel } from '../../src/service/read-model.ts';
import { stateStore } from '../../src/service/state-store.ts';

/*
 * The service with the log inside, and standard input in place of the door: a line `id kind [[key, value], ...]` appends records, and a line with
 * the id says that they are durable; of a request that was refused it says `id reason`. SIGKILL ends it, or the end of the input.
 */

const config = serviceConfig(loadConfig({ file: process.argv[2]! }).config);
const log = createLog({ ...config.log, version: 'test' });
const model = createReadModel({ config, writesSnapshots: false, readiness: () => [] });
const hearing = createHearing(model, groupReading(config, await stateStore(config)), log);
const inside = await openLogInside({ config, outages: model.outages, untilEnd: false, log });
const workers = startWorkers({
  count: workersOf(config),
  request: { config, untilEnd: false, rebuild: false, inside: inside.shared },
  ...{ hearing, graceMs: config.grace.ms, stopping: new AbortController() },
});
for await (const line of createInterface({ input: process.stdin })) void take(line);
workers.stop();
await workers.ended;
await inside.close();
await workers.end();

async function take(line: string): Promise<void> {
  const [id, kind, ...rest] = line.split(' ');
  const records = JSON.parse(rest.join(' ')) as readonly (readonly [string, string | null])[];
  try {
    await inside.intake.append(
      kind as IntakeKind,
      records.map(([key, value]) => ({ key: Buffer.from(key), value: value === null ? null : Buffer.from(value) })),
    );
    process.stdout.write(`${id}\n`);
  } catch (error) {
    process.stdout.write(`${id} ${(error as Error).message}\n`);
  }
}
