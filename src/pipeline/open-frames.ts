import type { LogRecord } from '../stream/event.ts';
import { retried, type Service } from './service.ts';

/** The parts of a service that opening frames needs. */
export type Opening = Pick<Service, 'retrying' | 'outage'> & { readonly options: Pick<Service['options'], 'frames'> };

/**
 * Opens those of records[from, to) of a partition that are framed for a schema registry. A promise: the schema of one is being fetched, and all of them
 * are to be delivered again when it is there; an outage of the registry is waited out.
 */
export function openFrames(
  service: Opening,
  name: string,
  records: readonly LogRecord[],
  from: number,
  to: number,
): Promise<void> | undefined {
  const { frames } = service.options;
  if (frames === undefined) return undefined;
  for (let index = from; index < to; index++) {
    const record = records[index]!;
    if (record.bytes[record.start] !== 0 || record.opened !== undefined) continue;
    record.opened = frames.open(record);
    if (record.opened !== undefined) continue;
    // Rejects where the service stops meanwhile: its records are read again.
    const fetching = { what: `fetching a schema for ${name}`, outage: `schema registry for ${name}` };
    return retried(service, fetching, () => frames.fetchSchema(record));
  }
  return undefined;
}

/** Lets go of what was made of the frames of records[from, to). */
export function closeFrames({ options }: Opening, records: readonly LogRecord[], from: number, to: number): void {
  if (options.frames === undefined) return;
  for (let index = from; index < to; index++) {
    const record = records[index]!;
    if (record.opened !== undefined) record.opened = undefined;
  }
}
