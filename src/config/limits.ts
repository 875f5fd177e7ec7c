import * as z from 'zod';
import { key, timer, whole } from './fields.ts';

/** `limits`: every bound of the program that a user may move, what happens beyond it, and why it is as large as it is. */
export const limits = z.strictObject({
  pending: key(
    whole(1).default(100_000),
    20_000,
    'Predictions that wait for their truth, a partition; beyond, the oldest expires. Each is kept whole, with some 450 bytes besides: 145 MB a partition at 1,000 characters each.',
  ),
  open_runs: key(
    whole(1).default(100_000),
    20_000,
    'Runs of several records that have not ended, a partition; beyond, the oldest is ended as it is. Some 130 bytes a step besides its calls and results: 740 MB a partition at 20 steps each with a call of 240 bytes. Of runs that ended, ten times as many are remembered, 43 bytes each; of spans between their steps, five times as many, 350 bytes each at most.',
  ),
  revisable: key(
    whole(1).default(100_000),
    20_000,
    'Events kept so that feedback can reach them (feedback.wait), a partition; beyond, the oldest can be revised no longer. Each is kept whole, with what it added.',
  ),
  dedupe_ids: key(
    whole(1).default(4_000_000),
    500_000,
    'Event ids remembered, a partition; beyond, the oldest are forgotten. 10 minutes at 6,000 events/s; about 43 bytes each.',
  ),
  stability_groups: key(
    whole(1).default(1_000_000),
    100_000,
    'Groups of runs kept open, a partition; beyond, the oldest is dropped from memory and its contribution stays. About 110 bytes each.',
  ),
  slices: key(
    whole(1).default(1_500),
    500,
    'Distinct combinations of all configured dimensions, a partition; beyond, new ones go to __other__. Each holds some hundred cells in every pane that is kept.',
  ),
  names: key(
    whole(1).default(5_000),
    1_000,
    'Keys of a breakdown (tools, parameters, combinations), a partition; beyond, new ones go to __other__. Agents invent names without end.',
  ),
  breakdowns: key(
    whole(1).default(2_000_000),
    500_000,
    'Rows of all breakdowns, one for each name in each slice, a partition; beyond, new ones go to __other__ of their slice. 500 slices with 500 names in each of 8 breakdowns; about 155 bytes each.',
  ),
  blames: key(
    whole(1).default(200_000),
    50_000,
    'What bad cases are attributed to: different sets of tools and arguments over all slices and panes, a partition, shared equally by the widths of panes; beyond, the oldest panes forget theirs, and alarms compare with less of the time before. About 75 bytes each.',
  ),
  groups_exported: key(
    whole(1).default(50),
    20,
    'Groups of a set of dimensions in Prometheus and in snapshots; the rest is summed as __other__. A chart cannot show more, and each costs some hundred series.',
  ),
  series: key(
    whole(1).default(20_000),
    50_000,
    'Series in the metrics; beyond, the least scored groups are summed as __other__, and the series left out are counted. One scrape of one instance should not cost a Prometheus server more.',
  ),
  record_bytes: key(
    whole(1).default(1024 * 1024),
    262_144,
    'Bytes of a record value; beyond, it is refused as too_large. What a broker takes by default.',
  ),
  batch_bytes: key(
    whole(1).default(64 * 1024 * 1024),
    32 * 1024 * 1024,
    'Bytes of a compressed record batch when decompressed; beyond, its records are refused as too_large without being read. A few bytes may decompress to gigabytes. A producer makes batches of 16 KB to 1 MB.',
  ),
  depth: key(
    whole(1).default(64),
    32,
    'Nesting of a record, itself being depth 1; beyond, it is refused as too_deep. Real arguments nest below 10.',
  ),
  elements: key(
    whole(1).default(1_000),
    100,
    'Elements of an array record; beyond, the record is refused whole as too_many_elements. One record must not stop the event loop.',
  ),
  calls: key(
    whole(1).default(256),
    64,
    'Tool calls of a prediction; beyond, it is refused as too_many_calls. Also expected calls of a truth row; beyond, its table is refused. Matching calls costs the square of their number.',
  ),
  values: key(
    whole(1).default(10_000),
    50_000,
    'JSON values of a prediction, and of a truth row; beyond, the one is refused as too_large, the table of the other is refused. A record of several predictions may hold ten times as many. To read, match and score one takes up to 5 µs: so many, less than 50 ms.',
  ),
  score_rows: key(
    whole(1).default(100_000),
    20_000,
    'Score rows held in memory between two checkpoints, over all partitions; at the limit they are written out before more are made. About 1 KB each.',
  ),
  truth_load: key(
    timer().prefault('5m'),
    '30m',
    'Time to load a version of the truth; beyond, it is refused. Storage may hang, and a file may be larger than was thought.',
  ),
});

/** Every key under `limits`: the values of the label of `assay_limit_reached_total`. */
export const limitNames: readonly string[] = Object.keys(limits.shape);
