import type { Dictionary } from './dictionary.ts';
import type { Ids } from './ids.ts';
import type { PendingLog } from './pending-log.ts';
import type { Table } from './table.ts';

/**
 * State of a partition as named containers: the one form that checkpoints have. `numbers` are the scalars (offset,
 * greatest event time, counters); `header` is small JSON (settings that shape the state, versions of the truth).
 */
export interface Store {
  header: string;
  readonly numbers: Map<string, number>;
  readonly dictionaries: Map<string, Dictionary>;
  readonly tables: Map<string, Table>;
  readonly ids: Map<string, Ids>;
  readonly pendingLogs: Map<string, PendingLog>;
}
