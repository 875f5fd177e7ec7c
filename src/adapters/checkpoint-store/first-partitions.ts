import { folderName } from '../../formats/checkpoint/names.ts';
import type { ObjectStore } from '../object-store/object-store.ts';

/**
 * Returns how many partitions a topic had when its group began. The first call for a group and topic notes the present number beside their
 * checkpoints, as the name of an empty file; of notes that instances made at once the least counts.
 */
export async function firstPartitions(
  store: ObjectStore,
  { group, topic, present }: { readonly group: string; readonly topic: string; readonly present: number },
): Promise<number> {
  const folder = `${folderName(group)}/${folderName(topic)}`;
  const noted = async (): Promise<number[]> => (await store.files(folder)).flatMap(partitionsOf);
  const before = await noted();
  if (before.length > 0) return Math.min(...before);
  await store.write(`${folder}/${prefix}${present}`, new Uint8Array(0));
  return Math.min(present, ...(await noted()));
}

const prefix = 'began-with-partitions-';

function partitionsOf(name: string): number[] {
  return name.startsWith(prefix) ? [Number(name.slice(prefix.length))] : [];
}
