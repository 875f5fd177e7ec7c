interface LimitDefinition {
  readonly default: number;
  readonly example: number;
  /** What is bounded, and what happens beyond. */
  readonly meaning: string;
  /** Why it is there, and why it is as large as it is. */
  readonly reason: string;
  /** The state of a partition depends on it: it cannot change under a checkpoint. */
  readonly shapesState: boolean;
}

/** Every bound on a number of things that a user may move, by its key under `limits`. */
export const countLimits = {
  pending: {
    default: 100_000,
    example: 20_000,
    meaning: 'Predictions that wait for their truth, a partition; beyond, the oldest expires.',
    reason: 'Each is kept whole, with some 450 bytes besides: 145 MB a partition at 1,000 characters each.',
    shapesState: true,
  },
  dedupe_ids: {
    default: 4_000_000,
    example: 500_000,
    meaning: 'Event ids remembered, a partition; beyond, the oldest are forgotten.',
    reason: '10 minutes at 6,000 events/s; about 43 bytes each.',
    shapesState: true,
  },
  stability_groups: {
    default: 1_000_000,
    example: 100_000,
    meaning:
      'Groups of runs kept open, a partition; beyond, the oldest is dropped from memory and its contribution stays.',
    reason: 'About 110 bytes each.',
    shapesState: true,
  },
  slices: {
    default: 2_000,
    example: 500,
    meaning: 'Distinct combinations of all configured dimensions, a partition; beyond, new ones go to __other__.',
    reason: 'Each holds some hundred cells in every pane that is kept.',
    shapesState: true,
  },
  names: {
    default: 5_000,
    example: 1_000,
    meaning: 'Keys of a breakdown (tools, parameters, combinations), a partition; beyond, new ones go to __other__.',
    reason: 'Agents invent names without end.',
    shapesState: true,
  },
  groups_exported: {
    default: 50,
    example: 20,
    meaning: 'Groups of a set of dimensions in Prometheus and in snapshots; the rest is summed as __other__.',
    reason: 'A chart cannot show more, and each costs some hundred series.',
    shapesState: false,
  },
  series: {
    default: 20_000,
    example: 50_000,
    meaning: 'Series on the metrics page; beyond, series are left out and counted.',
    reason: 'What one scrape of one instance should cost a Prometheus server.',
    shapesState: false,
  },
  record_bytes: {
    default: 1024 * 1024,
    example: 262_144,
    meaning: 'Bytes of a record value; beyond, it is refused as too_large.',
    reason: 'What a broker takes by default.',
    shapesState: true,
  },
  batch_bytes: {
    default: 64 * 1024 * 1024,
    example: 32 * 1024 * 1024,
    meaning:
      'Bytes of a compressed record batch when decompressed; beyond, its records are refused as too_large without being read.',
    reason: 'A few bytes may decompress to gigabytes. A producer makes batches of 16 KB to 1 MB.',
    shapesState: false,
  },
  depth: {
    default: 64,
    example: 32,
    meaning: 'Nesting of a record, itself being depth 1; beyond, it is refused as too_deep.',
    reason: 'Real arguments nest below 10.',
    shapesState: true,
  },
  elements: {
    default: 1_000,
    example: 100,
    meaning: 'Elements of an array record; beyond, the record is refused whole as too_many_elements.',
    reason: 'One record must not stop the event loop.',
    shapesState: true,
  },
  calls: {
    default: 256,
    example: 64,
    meaning: 'Tool calls of a prediction; beyond, it is refused as too_many_calls.',
    reason: 'Matching calls costs the square of their number.',
    shapesState: true,
  },
  score_rows: {
    default: 100_000,
    example: 20_000,
    meaning:
      'Score rows held in memory between two checkpoints, over all partitions; at the limit they are written out before more are made.',
    reason: 'About 1 KB each.',
    shapesState: false,
  },
} as const satisfies Readonly<Record<string, LimitDefinition>>;

export type CountLimit = keyof typeof countLimits;

/** Every key under `limits`, and value of the label of `assay_limit_reached_total`. `truth_load` is a time. */
export const limitNames: readonly string[] = [...Object.keys(countLimits), 'truth_load'];
