import { schemaIdOf } from '../../formats/framed/frame.ts';
import { missingSchema, type ValueReader, valueReader } from '../../formats/framed/registered.ts';
import { Unreadable, type ValueLimits } from '../../formats/framed/unreadable.ts';
import type { Clock, Frames } from '../../ports.ts';
import { fetchRegistered, type RegistrySettings } from './registry-client.ts';

export interface FramesOptions extends RegistrySettings {
  /** Values beyond are not opened: they are refused as they are. */
  readonly recordBytes: number;
  readonly limits: ValueLimits;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** The values that were framed with the schemas of a registry. Schemas are kept by their ids, which never mean another one. */
export function registryFrames(options: FramesOptions): Frames {
  const known = new Map<number, Known>();
  const asked = new Map<number, Promise<void>>();
  return {
    open(record) {
      const id = schemaIdOf(record);
      if (id === undefined) return notFramed;
      if (record.end - record.start > options.recordBytes) return tooLarge;
      const found = known.get(id);
      if (found === undefined || found.untilMs <= options.clock.monotonicMs()) return undefined;
      return found.read(record, options.limits);
    },
    fetchSchema(record) {
      const id = schemaIdOf(record)!;
      const fetching =
        asked.get(id) ??
        fetchReader(options, id)
          .then((found) => keep(known, id, found))
          .finally(() => asked.delete(id));
      asked.set(id, fetching);
      return fetching;
    },
  };
}

/** Bytes that begin as a frame does and hold none. */
const notFramed = {
  code: 'not_json',
  detail: 'the value begins with a byte 0 and is no frame of a schema registry',
} as const;
/** The reader of events refuses such a record by its size, and does not look at this detail. */
const tooLarge = { code: 'too_large', detail: '' } as const;

interface Known {
  readonly read: ValueReader;
  /** The characters that are cached. */
  readonly size: number;
  readonly untilMs: number;
}

async function fetchReader(options: FramesOptions, id: number): Promise<Known> {
  const found = await fetchRegistered(options, id).catch((error: Error) => {
    if (error instanceof Unreadable) return error;
    throw error;
  });
  if (found === undefined || found instanceof Unreadable) {
    const untilMs = options.clock.monotonicMs() + absentMs;
    return { read: missingSchema(id, found?.message), size: leastSize, untilMs };
  }
  const size = leastSize + [found, ...found.references].reduce((sum, { schema }) => sum + schema.length, 0);
  return { read: valueReader(id, found), size, untilMs: Number.POSITIVE_INFINITY };
}

/** A registry that follows another may hear of a schema after us. */
const absentMs = 60_000;
const leastSize = 1_000;
/** Characters of all schemas that are kept: thousands of usual ones. */
const sizeMost = 16_000_000;

/** The one that was fetched first gives way, but for the new one. */
function keep(known: Map<number, Known>, id: number, found: Known): void {
  known.delete(id);
  known.set(id, found);
  let size = 0;
  for (const each of known.values()) size += each.size;
  for (const [other, each] of known) {
    if (size <= sizeMost || other === id) break;
    known.delete(other);
    size -= each.size;
  }
}
