import type { RowPosition, TopicPartition } from '../../ports.ts';

/**
 * Names of the files of score rows: topic, partition, the next offset when its first row was scored, and the number of predictions
 * that the partition had scored by then. The number tells apart files that begin at one offset, where only truth came between two checkpoints.
 */
export function scoreFileName({ topic, partition }: TopicPartition, { nextOffset, scored }: RowPosition): string {
  return `scores-${topic}-${partition}-${String(nextOffset).padStart(offsetDigits, '0')}-${scored}.arrow`;
}

/** What `scoreFileName` put into a name; undefined where it is no such name. */
export function parseScoreFileName(name: string): (TopicPartition & RowPosition) | undefined {
  const [, topic, partition, nextOffset, scored] = pattern.exec(name) ?? [];
  if (topic === undefined) return undefined;
  return { topic, partition: Number(partition), nextOffset: Number(nextOffset), scored: Number(scored) };
}

/** Whether a file that began at a place holds rows that a state at `at` has not scored. */
export function isPast(file: RowPosition, at: RowPosition): boolean {
  return file.nextOffset > at.nextOffset || (file.nextOffset === at.nextOffset && file.scored >= at.scored);
}

/** Offsets in order of text are in order of number. */
const offsetDigits = 16;
const pattern = /^scores-(.+)-(\d+)-(\d{16})-(\d+)\.arrow$/;
