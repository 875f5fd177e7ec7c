import type { AdditionWriter } from '../state/addition.ts';
import type { PartitionState } from '../state/partition.ts';
import type { Event, Reader } from './event.ts';
import type { Noting } from './input-notes.ts';
import type { FoldOutput } from './output.ts';
import type { PreparedTruth } from './truth-cache.ts';

/** Parts of a fold that joining an event with its truth needs. */
export interface Joining {
  readonly state: PartitionState;
  readonly reader: Reader;
  readonly writer: AdditionWriter;
  /** Stands for the truth of an event that has none yet. */
  readonly noTruth: PreparedTruth;
  readonly out: Pick<
    FoldOutput,
    | 'input'
    | 'unknownCalls'
    | 'feedback'
    | 'onEvent'
    | 'onAccepted'
    | 'onWithoutTruth'
    | 'onContested'
    | 'onScored'
    | 'onFailed'
    | 'onRight'
    | 'onJudged'
  >;
}

/** The noting of oddities of an event. */
export function notingOf({ state, out }: Pick<Joining, 'state' | 'out'>, { offset, element }: Event): Noting {
  return { state, notes: out.input, offset, element };
}
