import { systemClock } from '../adapters/system-clock.ts';
import { messageOf } from '../errors.ts';
import { inTurn, type SerialQueue } from '../pipeline/time-slices.ts';
import { type Log, partitionName, type TopicPartition } from '../ports.ts';
import { follows, type GroupReading, readPartition, restoreOnto } from './group-states.ts';
import { addGrowth, setGauges } from './merge-telemetry.ts';
import type { ReadModel } from './read-model.ts';
import type { SavedCheckpoint, ScorerMessage, ScorerReport } from './scorer-messages.ts';

/** The side of the server: takes what scorers tell into the read model. */
export interface Hearing {
  /** Resolves when the message of a scorer is taken in. Messages are taken in one after the other. */
  hear(scorer: number, message: ScorerMessage): Promise<void>;
  /** Resolves when all is taken in. */
  settled(): Promise<void>;
}

/** Hears scorers, of whose checkpoints some may have to be read from the store. */
export function createHearing(model: ReadModel, reading: GroupReading, log: Log): Hearing {
  const { states, outages } = model;
  const holders = new Map<string, number>();
  const queue: SerialQueue = { last: Promise.resolve() };
  const read = async (partition: TopicPartition): Promise<void> => {
    const outage = `checkpoints of ${partitionName(partition)}`;
    try {
      await readPartition(reading, states, partition);
      outages.delete(outage);
    } catch (error) {
      outages.add(outage);
      log.warn({ partition: partitionName(partition), error: messageOf(error) }, 'its newest numbers cannot be read');
    }
  };
  const update = async (partition: TopicPartition, checkpoint: SavedCheckpoint | undefined): Promise<void> => {
    const held = states.get(partitionName(partition));
    // A snapshot in the place of the deltas that it equals.
    if (checkpoint !== undefined && held?.checkpoint === checkpoint.id) return;
    const { id, base, bytes } = checkpoint ?? {};
    if (bytes !== undefined && follows({ base }, held))
      await restoreOnto(reading, states, partition, [{ id: id!, base, bytes }]);
    else await read(partition);
  };
  return {
    async hear(scorer, message) {
      if (message.kind === 'report') return takeReport(model, scorer, message.report);
      const { partition } = message;
      const name = partitionName(partition);
      if (message.kind === 'revoked') {
        // The present owner may have reported first.
        if (holders.get(name) === scorer) holders.delete(name);
        return inTurn(queue, async () => void (holders.has(name) || states.delete(name)));
      }
      holders.set(name, scorer);
      return inTurn(queue, async () => {
        if (holders.get(name) === scorer)
          await update(partition, 'checkpoint' in message ? message.checkpoint : undefined);
      });
    },
    settled: async () => void (await queue.last),
  };
}

function takeReport(model: ReadModel, scorer: number, report: ScorerReport): void {
  const { reports, telemetry, samples } = model;
  const before = reports.get(scorer);
  addGrowth(telemetry, report.telemetry, before?.telemetry);
  const share = report.share ?? before?.share;
  const unmatched = report.unmatched ?? before?.unmatched;
  reports.set(scorer, { ...report, share, unmatched, failures: [], heardMs: performance.now() });
  setGauges(telemetry, reports);
  for (const failure of report.failures) samples.add(failure);
  model.lastRecordMs = systemClock.monotonicMs() - Math.min(...[...reports.values()].map(({ idleMs }) => idleMs));
}
