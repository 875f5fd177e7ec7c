import { findPartition, listState, statePartitions } from '../../adapters/checkpoint-store/state-folder.ts';
import { fileCheckpoints } from '../../adapters/checkpoint-store/file-checkpoints.ts';
import { createLog } from '../../adapters/log.ts';
import { restoreStore } from '../../formats/checkpoint/checkpoint.ts';
import { jsonText } from '../../formats/json/json-text.ts';
import { summaryDocument } from '../../formats/summary/summary-document.ts';
import type { Json } from '../../scoring/json.ts';
import type { PartitionState } from '../../state/partition.ts';
import { restoredUnder } from '../../state/migrate.ts';
import type { SavedHeader } from '../../state/saved.ts';
import type { Store } from '../../state/containers/store.ts';
import type { Settings } from '../../state/settings.ts';
import { finish } from '../../state/steps.ts';
import { type Identity, migrationOf } from '../../pipeline/identity.ts';
import { type Log, partitionName } from '../../ports.ts';
import { changes, savedConfig } from '../../service/changes.ts';
import { contextOf, version } from '../../documents/context.ts';
import { settingsOf } from '../../config/settings.ts';
import { endView, truthOf } from '../../service/end-view.ts';
import { storeAt } from '../../service/state-store.ts';

export interface StateOptions {
  /** `state.dir` of the configuration. */
  readonly dir: string;
  readonly signal: AbortSignal;
}

/**
 * `assay state summary`: the newest valid checkpoints of all partitions, merged. Resolves with the exit status: 1 where a damaged one is
 * missing from it, which is logged.
 */
export async function summariseState({ dir }: StateOptions): Promise<number> {
  const { saved, damaged } = await loadAll(dir);
  if (saved.length === 0) throw new Error(`${dir}: no valid checkpoint in it`);
  // After a change of settings some partitions may not have a checkpoint under those of now.
  const { identity } = saved.reduce((a, b) => (b.id > a.id ? b : a));
  const config = savedConfig(identity.config);
  const settings = settingsOf(config, undefined);
  const states = saved.map((one) => stateUnder(one, { settings, shaping: identity.settings }));
  const greatest = Math.max(...states.map(({ numbers }) => numbers.greatestTs));
  const view = endView(states, greatest, { config });
  const context = contextOf(
    config,
    truthOf(states),
    saved.map(({ name }) => name),
  );
  process.stdout.write(`${jsonText(summaryDocument(view, context) as Json)}\n`);
  return damaged ? 1 : 0;
}

function stateUnder(
  { store, identity, name }: SavedPartition,
  { settings, shaping }: { readonly settings: Settings; readonly shaping: Identity['settings'] },
): PartitionState {
  const migration = migrationOf(identity, { ...identity, settings: shaping }, { changes, settings, name });
  return finish(restoredUnder(settings, store, migration));
}

/** `assay state list`. Resolves with the exit status. */
export async function listCheckpoints({ dir }: StateOptions): Promise<number> {
  let listed = 0;
  for await (const line of listState(await storeAt(dir))) {
    process.stdout.write(`${line}\n`);
    listed++;
  }
  if (listed === 0) process.stderr.write(`${dir}: no checkpoint in it\n`);
  return 0;
}

/** `assay state drop`. Resolves with the exit status. */
export async function dropPartition({
  dir,
  partition,
}: StateOptions & { readonly partition: string }): Promise<number> {
  const store = await storeAt(dir);
  const found = await findPartition(store, partition);
  process.stderr.write(`dropping ${found.group}: ${partitionName(found)} (${store.name}/${found.folder})\n`);
  await store.removeFolder(found.folder);
  return 0;
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
