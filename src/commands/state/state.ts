import { findPartition, listState } from '../../adapters/checkpoint-store/state-folder.ts';
import { jsonText } from '../../formats/json/json-text.ts';
import { partitionName } from '../../ports.ts';
import type { Json } from '../../scoring/json.ts';
import { stateSummary } from '../../service/state-summary.ts';
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
  const { document, damaged } = await stateSummary(dir);
  process.stdout.write(`${jsonText(document as Json)}\n`);
  return damaged ? 1 : 0;
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
