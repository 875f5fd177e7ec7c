import * as z from 'zod';
import { duration, key, whole } from './fields.ts';

/** `ingest`: the log inside, which `assay run` reads where no broker is named (docs/reference/log-inside.md). */
export const ingest = z.strictObject({
  partitions: key(
    whole(1).max(64).default(4),
    8,
    'Partitions of the log inside: as many threads can score. Fixed once the log has begun.',
  ),
  keep: key(
    duration().prefault('1h'),
    '7d',
    'How long records stay in the log inside after they were scored, for --rebuild.',
  ),
  backlog: key(
    whole(1).default(256 * 2 ** 20),
    1024 * 2 ** 20,
    'Bytes of records in the log inside that may wait to be scored; beyond, senders are told to wait (429).',
  ),
});
