import { argv, resourceUsage, stdin, stdout } from 'node:process';
import { type FetchedRecords, readBatches } from '../../src/adapters/kafka/record-batches.ts';

/** What a process found in the batches of its input, and by how many bytes it grew at most while it read them. */
export interface Measured extends Partial<Pick<FetchedRecords, 'nextOffset' | 'problem' | 'unread'>> {
  readonly records: number;
  readonly growth: number;
}

// A program: peaks of memory can only be told in a process that has done nothing else before.
if (import.meta.filename === argv[1]) {
  const batchBytes = Number(argv[2]);
  const bytes = Buffer.concat(await stdin.toArray());
  const before = resourceUsage().maxRSS;
  const fetched = await readBatches(bytes, [], { batchBytes, left: batchBytes });
  const growth = 1024 * (resourceUsage().maxRSS - before);
  const measured: Measured = { ...fetched, records: fetched?.records.length ?? 0, growth };
  stdout.write(JSON.stringify(measured));
}
