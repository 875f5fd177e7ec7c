import { statePartitions } from '../../adapters/checkpoint-store/state-folder.ts';
import type { ObjectStore } from '../../adapters/object-store/object-store.ts';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../ports.ts';

/** Drops the group's checkpoints of the configured topics: `run --rebuild`. */
export async function dropGroup(store: ObjectStore, config: Config, log: Log): Promise<void> {
  const { group_id, topics } = config.kafka;
  const all = await statePartitions(store).catch(() => []);
  const dropped = all.filter(({ group, topic }) => group === group_id && topics.includes(topic));
  for (const { folder } of dropped) await store.removeFolder(folder);
  log.warn(
    { partitions: dropped.length },
    'rebuild: checkpoints dropped, the topics are read again from their beginning',
  );
}
