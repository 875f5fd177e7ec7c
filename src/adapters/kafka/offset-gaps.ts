import { batchAt, batchPrefixBytes, readInt64 } from './records.ts';

/** The gaps between batches that the last response had, by partition. */
export interface KnownGaps {
  /** The bytes before the first batch behind a gap that the last response did not have. */
  before(partition: string, bytes: Buffer, position: number): Buffer;
}

/**
 * No checksum covers the offset of a batch, as the broker gives it. Where one does not begin at the end of the one before, or at the position
 * of the fetch, its offset may be damaged; but compaction leaves gaps as well, and a position may lie within a batch. So a gap is believed
 * when two responses in a row have it.
 */
export function knownGaps(): KnownGaps {
  const known = new Map<string, ReadonlySet<string>>();
  return {
    before(partition, bytes, position) {
      const gaps = gapsOf(bytes, position);
      const old = known.get(partition);
      known.set(partition, new Set(gaps.map(({ name }) => name)));
      return bytes.subarray(0, gaps.find(({ name }) => !old?.has(name))?.at);
    },
  };
}

/** Finds the batches whose offset is not the expected one. */
function gapsOf(bytes: Buffer, position: number): { readonly name: string; readonly at: number }[] {
  const gaps: { name: string; at: number }[] = [];
  let expected = position;
  for (let at = 0; at + batchAt.firstTimestamp <= bytes.length; ) {
    const offset = readInt64(bytes, at);
    if (offset !== expected) gaps.push({ name: `${expected} ${offset}`, at });
    expected = offset + 1 + (bytes[at + batchAt.magic] === 2 ? bytes.readInt32BE(at + batchAt.lastOffsetDelta) : 0);
    const length = bytes.readInt32BE(at + batchAt.length);
    if (length < 0) break;
    at += batchPrefixBytes + length;
  }
  return gaps;
}
