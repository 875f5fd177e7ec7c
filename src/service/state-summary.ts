import { fileCheckpoints } from '../adapters/checkpoint-store/file-checkpoints.ts';
import { statePartitions } from '../adapters/checkpoint-store/state-folder.ts';
import { createLog } from '../adapters/log.ts';
import { settingsOf } from '../config/settings.ts';
import { contextOf, version } from '../documents/context.ts';
import { restoreStore } from '../formats/checkpoint/checkpoint.ts';
import { type SummaryDocument, summaryDocument } from '../formats/summary/summary-document.ts';
import { type Identity, migrationOf } from '../pipeline/identity.ts';
import { type Log, partitionName } from '../ports.ts';
import type { Store } from '../state/containers/store.ts';
import { restoredUnder } from '../state/migrate.ts';
import type { PartitionState } from '../state/partition.ts';
import type { SavedHeader } from '../state/saved.ts';
import type { Settings } from '../state/settings.ts';
import { finish } from '../state/steps.ts';
import { changes, savedConfig } from './changes.ts';
import { endView, truthOf } from './end-view.ts';
import { storeAt } from './state-store.ts';

/** A summary of the newest valid checkpoints of all partitions in a folder, merged. `damaged`: one is missing from it, which is logged. */
export async function stateSummary(
  dir: string,
): Promise<{ readonly document: SummaryDocument; readonly damaged: boolean }> {
  const { saved, damaged } = await loadAll(dir);
  if (saved.length === 0) throw new Error(`${dir}: no valid checkpoint in it`);
  // After a change of settings some partitions may not have a checkpoint under those of now.
  const { identity } = saved.reduce((a, b) => (b.id > a.id ? b : a));
  const config = savedConfig(identity.config);
  const settings = settingsOf(config, undefined);
  const states = saved.map((one) => stateUnder(one, { settings, shaping: identity.settings }));
  const greatest = Math.max(...states.map(({ numbers }) => numbers.greatestTs));
  const view = endView(states, greatest, { config });
  const names = saved.map(({ name }) => name);
  return { document: summaryDocument(view, contextOf(config, truthOf(states), names)), damaged };
}

function stateUnder(
  { store, identity, name }: SavedPartition,
  { settings, shaping }: { readonly settings: Settings; readonly shaping: Identity['settings'] },
): PartitionState {
  const migration = migrationOf(identity, { ...identity, settings: shaping }, { changes, settings, name });
  return finish(restoredUnder(settings, store, migration));
}

interface SavedPartition {
  readonly name: string;
  /** Id of the checkpoint: later ones sort after earlier ones. */
  readonly id: string;
  readonly store: Store;
  readonly identity: Identity;
}

async function loadAll(dir: string): Promise<{ readonly saved: SavedPartition[]; readonly damaged: boolean }> {
  const found = { damaged: false };
  const shown = createLog({ level: 'warn', pretty: 'auto', version });
  const warn: Log['warn'] = (fields, message) => {
    found.damaged = true;
    shown.warn(fields, message);
  };
  const log = Object.assign(Object.create(shown) as Log, { warn });
  const saved: SavedPartition[] = [];
  const objects = await storeAt(dir);
  for (const { group, topic, partition } of await statePartitions(objects)) {
    const files = await fileCheckpoints(objects, group, { log }).load({ topic, partition });
    if (files.length === 0) continue;
    const { store, head } = finish(restoreStore(files.map(({ bytes }) => bytes)));
    const { identity } = JSON.parse(store.header) as SavedHeader & { identity: Identity };
    saved.push({ name: partitionName({ topic, partition }), id: head.id, store, identity });
  }
  return { saved, damaged: found.damaged };
}
