import type { Labels } from '../support/promtool.ts';
import { type Case, runsOf, series } from './operating-case.ts';
import { sourceCases } from './source-cases.ts';

const a = { instance: 'a' };
const b = { instance: 'b' };
const partition = (instance: Labels, number: string): Labels => ({
  ...instance,
  topic: 'predictions',
  partition: number,
});
const first = (topic: string): Labels => ({ ...a, topic, partition: '0' });
const topic = (name: string, outcome: string): Labels => ({ ...a, topic: name, outcome });

const of = (severity: Case['severity']) => (silentAt: readonly string[], firingAt: string) => ({
  silentAt,
  firingAt,
  severity,
});
const [critical, warning] = [of('critical'), of('warning')];

export const cases: readonly Case[] = [
  {
    alert: 'AssayDown',
    input: [series('up', a, '1x60'), series('up', b, '1x20 0x40')],
    ...critical(['15m', '24m'], '30m'),
    summary: 'An instance cannot be scraped.',
    fires: [[b, 'b has not answered on /metrics for 5 minutes.']],
  },
  {
    alert: 'AssayNoPartitions',
    input: [
      series('assay_assigned_partitions', a, '6x10 0x50'),
      series('assay_assigned_partitions', b, '0x60'),
      { series: 'assay_assigned_partitions{job="other",instance="a"}', values: '0x5 1x55' },
    ],
    ...critical(['9m', '19m'], '45m'),
    summary: 'The instances are up and hold no partition: nothing is scored.',
    fires: [[{}, 'The instances of job assay have held no partition for 10 minutes.']],
  },
  {
    alert: 'AssayRecordsUnaccounted',
    input: [series('assay_records_unaccounted', a, '0x60'), series('assay_records_unaccounted', b, '0x10 1 0x9 3x40')],
    ...critical(['14m', '24m'], '30m'),
    summary: 'The counts of events do not add up: a bug.',
    fires: [[b, 'b has read 3 events more than it can account for.']],
  },
  {
    alert: 'AssayStalled',
    input: [
      // 0 keeps up with a constant lag; 1 stalls at 10 min; 2 is idle; 3 moves from a to b and goes on; 4 was never consumed from.
      series('assay_consumer_lag_records', partition(a, '0'), '5x60'),
      series('assay_records_consumed_total', partition(a, '0'), '0+100x60'),
      series('assay_consumer_lag_records', partition(a, '1'), '0x10 0+100x50'),
      series('assay_records_consumed_total', partition(a, '1'), '0+100x10 1000x50'),
      series('assay_consumer_lag_records', partition(a, '2'), '0x60'),
      series('assay_records_consumed_total', partition(a, '2'), '7x60'),
      series('assay_consumer_lag_records', partition(a, '3'), '3x20 stale'),
      series('assay_records_consumed_total', partition(a, '3'), '0+100x20 2000x39'),
      series('assay_consumer_lag_records', partition(b, '3'), '_x20 3x40'),
      series('assay_records_consumed_total', partition(b, '3'), '_x20 0+100x40'),
      series('assay_consumer_lag_records', partition(b, '4'), '_x20 50x40'),
    ],
    ...critical(['19m', '28m'], '35m'),
    summary: 'Records wait in a partition and none is consumed.',
    fires: [
      [
        { topic: 'predictions', partition: '1' },
        'predictions/1: 2.4k records wait, and none has been consumed for 10 minutes.',
      ],
      [
        { topic: 'predictions', partition: '4' },
        'predictions/4: 50 records wait, and none has been consumed for 10 minutes.',
      ],
    ],
  },
  {
    alert: 'AssayInputStopped',
    input: [
      // Twenty a minute until 120 min; one that is rare; one that waits and is stalled; one that was never read.
      series('assay_consumer_lag_records', first('stopped'), '0x240'),
      series('assay_records_consumed_total', first('stopped'), '0+20x120 2400x60 2400+20x60'),
      series('assay_consumer_lag_records', first('rare'), '0x240'),
      series('assay_records_consumed_total', first('rare'), '0+0.1x120 12x120'),
      series('assay_consumer_lag_records', first('stalled'), '0x120 9x120'),
      series('assay_records_consumed_total', first('stalled'), '0+20x120 2400x120'),
      series('assay_consumer_lag_records', first('new'), '0x240'),
      series('assay_records_consumed_total', first('new'), '0x240'),
    ],
    ...critical(['100m', '130m', '190m'], '150m'),
    summary: 'No new records arrive, and there were some before.',
    fires: [
      [
        { topic: 'stopped' },
        'stopped: all records are consumed, and no new record has arrived for 15 minutes. Check the producers.',
      ],
    ],
  },
  ...sourceCases,
  {
    alert: 'AssayLagHigh',
    input: [
      // 10 a second are worked off: 20,000 wait 2,000 s; of the other topic 6,000 wait 600 s.
      series('assay_consumer_lag_records', first('slow'), '20000x60'),
      series('assay_records_consumed_total', first('slow'), '0+600x60'),
      series('assay_consumer_lag_records', first('fine'), '6000x60'),
      series('assay_records_consumed_total', first('fine'), '0+600x60'),
      series('assay_consumer_lag_records', first('idle'), '0x60'),
      series('assay_records_consumed_total', first('idle'), '5x60'),
    ],
    ...warning(['10m'], '30m'),
    summary: 'Scoring is more than 15 minutes behind the stream.',
    fires: [[{ topic: 'slow' }, 'slow: at the present speed a record waits 33m 20s before it is scored.']],
  },
  {
    alert: 'AssayRebalancing',
    input: [series('assay_rebalances_total', a, '0x20 0+0.4x40'), series('assay_rebalances_total', b, '0x20 0+0.4x40')],
    ...warning(['20m', '30m'], '50m'),
    summary: 'The consumer group rebalances again and again.',
    fires: [[{}, 'The instances of job assay went through 23 rebalances in 30 minutes.']],
  },
  {
    alert: 'AssayDeadLetters',
    input: [
      series('assay_records_total', topic('bad', 'scored'), '0+95x60'),
      series('assay_records_total', topic('bad', 'rejected'), '0+5x60'),
      // 0.5 %; and 50 % of next to nothing.
      series('assay_records_total', topic('good', 'scored'), '0+995x60'),
      series('assay_records_total', topic('good', 'rejected'), '0+5x60'),
      series('assay_records_total', topic('rare', 'scored'), '0+0.2x60'),
      series('assay_records_total', topic('rare', 'rejected'), '0+0.2x60'),
    ],
    ...warning(['2m'], '30m'),
    summary: 'More than 1 % of the predictions are refused.',
    fires: [[{ topic: 'bad' }, 'bad: 5% of the predictions of the last 15 minutes went to the dead letters.']],
  },
  {
    alert: 'AssayRunsStayOpen',
    input: [
      // Two runs a second begin. Each takes 300 s, and ends 80 s after its last step; from 120 min on none ends.
      ...runsOf('assay', '760x120 760+120x120', '0+120x120 14400x120', '0+36000x120 4320000x120', '0+600x240'),
      // Long runs at work, few runs, and open ones of a stream that has stopped.
      ...runsOf('long', '14400x240', '0+120x240', '0+864000x240', '0+600x240'),
      ...runsOf('few', '19x240', '0x240', '0x240', '0+1x240'),
      ...runsOf('stopped', '500x240', '7200x240', '2160000x240', '36000x240'),
    ],
    ...warning(['119m', '180m'], '230m'),
    summary: 'Runs end more than 15 minutes after their last step: they are scored that late.',
    fires: [[{}, 'Job assay: 13.84k runs are open beyond those that are at work, more than end in 15 minutes.']],
  },
  {
    alert: 'AssayLateSteps',
    input: [
      series('assay_steps_total', a, '0+100x60'),
      series('assay_late_steps_total', a, '0x20 0+5x40'),
      { series: 'assay_steps_total{job="good",instance="a"}', values: '0+1000x60' },
      { series: 'assay_late_steps_total{job="good",instance="a"}', values: '0+5x60' },
    ],
    ...warning(['20m'], '60m'),
    summary: 'Steps come after their run has ended: they are missing from the scores.',
    fires: [[{}, 'Job assay: 3.25% of the steps of the last hour came after their run had ended.']],
  },
  {
    alert: 'AssayRecordsLost',
    input: [series('assay_lost_records_total', a, '0x20 100x40'), series('assay_lost_records_total', b, '0x60')],
    ...warning(['20m'], '40m'),
    summary: 'Kafka deleted records before they were read.',
    fires: [
      [{}, 'Job assay: 100 records of the last hour were trimmed from the log unread, and will never be scored.'],
    ],
  },
  {
    alert: 'AssayNothingMeasured',
    input: [series('assay_unmeasured_predictions', a, '0x10 100x40')],
    ...warning(['20m'], '40m'),
    summary: 'Events are scored, but no metric that needs truth has a value.',
    fires: [[{ instance: 'a' }, 'a: 100 events are scored by truth rows without any field that a family reads.']],
  },
  {
    alert: 'AssayTruthMissing',
    input: [
      series('assay_records_total', topic('late', 'scored'), '0+90x120'),
      series('assay_records_total', topic('late', 'expired'), '0+10x120'),
      series('assay_records_total', topic('fine', 'scored'), '0+99x120'),
      series('assay_records_total', topic('fine', 'expired'), '0+1x120'),
      series('assay_records_total', topic('rare', 'scored'), '0+0.05x120'),
      series('assay_records_total', topic('rare', 'expired'), '0+0.05x120'),
      // A service without truth expires everything.
      { series: 'assay_records_total{job="none",topic="none",outcome="expired"}', values: '0+100x120' },
      { series: 'assay_truth_info{job="none",instance="n",version="without"}', values: '1x120' },
    ],
    ...warning(['25m'], '60m'),
    summary: 'Predictions expire because their truth does not come.',
    fires: [[{ topic: 'late' }, 'late: 10% of the predictions of the last hour expired without truth.']],
  },
  {
    alert: 'AssayCoverageLow',
    input: ['1h', '24h'].flatMap((window) => [
      series('assay_window_predictions', { ...a, window, state: 'scored' }, '60x10 40x70'),
      series('assay_window_predictions', { ...a, window, state: 'pending' }, '40x10 60x70'),
      { series: `assay_window_predictions{job="rare",window="${window}",state="scored"}`, values: '4x80' },
      { series: `assay_window_predictions{job="rare",window="${window}",state="pending"}`, values: '6x80' },
      { series: `assay_window_predictions{job="none",window="${window}",state="expired"}`, values: '500x80' },
      { series: 'assay_truth_info{job="none",instance="n",version="without"}', values: '1x80' },
    ]),
    ...warning(['9m', '38m'], '45m'),
    labels: { window: '1h' },
    summary: 'Too few predictions are scored for the scores to be reliable.',
    fires: [
      [
        {},
        'Job assay: only 40% of the predictions of the last 1h are scored; the rest wait for their truth, expired or were refused.',
      ],
    ],
  },
  {
    alert: 'AssayTruthReloadFailing',
    input: [
      series('assay_truth_reload_failures_total', a, '0x60'),
      series('assay_truth_reload_failures_total', b, '0x10 1x50'),
    ],
    ...warning(['9m', '45m'], '20m'),
    summary: 'A truth file was refused; the version before stays in use.',
    fires: [[b, 'b refused a truth file in the last 30 minutes; its log says which and why.']],
  },
  {
    alert: 'AssayCheckpointStale',
    input: [a, b, { instance: 'c' }, { instance: 'd' }]
      .flatMap((instance) => [
        series('assay_checkpoint_interval_seconds', instance, '5x60'),
        series('process_start_time_seconds', instance, '0x60'),
      ])
      .concat([
        // a keeps up; b fails at 10 min; c has nothing to do; d never wrote one.
        series('assay_checkpoint_last_success_timestamp_seconds', a, '0+60x60'),
        series('assay_records_consumed_total', partition(a, '0'), '0+10x60'),
        series('assay_checkpoint_last_success_timestamp_seconds', b, '0+60x10 600x50'),
        series('assay_records_consumed_total', partition(b, '1'), '0+10x60'),
        series('assay_checkpoint_last_success_timestamp_seconds', { instance: 'c' }, '0x60'),
        series('assay_records_consumed_total', partition({ instance: 'c' }, '2'), '10x60'),
        series('assay_records_consumed_total', partition({ instance: 'd' }, '3'), '0+10x60'),
      ]),
    ...critical(['5m'], '30m'),
    summary: 'State is not made durable: a crash would repeat work since the last checkpoint.',
    fires: [
      [b, 'b reads records and made its last checkpoint 20m 0s ago.'],
      [{ instance: 'd' }, 'd reads records and made its last checkpoint 30m 0s ago.'],
    ],
  },
  {
    alert: 'AssaySnapshotStale',
    input: [a, b, { instance: 'c' }]
      .flatMap((instance) => [
        series('assay_snapshot_interval_seconds', instance, '300x60'),
        series('process_start_time_seconds', instance, '0x60'),
      ])
      .concat([
        series('assay_snapshot_last_success_timestamp_seconds', a, '0+60x60'),
        series('assay_snapshot_last_success_timestamp_seconds', b, '0+60x10 600x50'),
        // d writes no snapshots: it has no interval.
        series('process_start_time_seconds', { instance: 'd' }, '0x60'),
      ]),
    ...warning(['15m'], '40m'),
    summary: 'Arrow snapshots are not written.',
    fires: [
      [b, 'b wrote its last snapshot 30m 0s ago.'],
      [{ instance: 'c' }, 'c wrote its last snapshot 40m 0s ago.'],
    ],
  },
  {
    alert: 'AssayFolding',
    input: [
      series('assay_limit_reached_total', { ...a, limit: 'slices' }, '0x20 0+1x40'),
      series('assay_limit_reached_total', { ...a, limit: 'series' }, '7x60'),
      series('assay_limit_reached_total', { ...a, limit: 'pending' }, '0x20 0+1x40'),
    ],
    ...warning(['20m'], '40m'),
    summary: 'There are more slices, names or series than the limits allow: some are folded or left out.',
    fires: [
      [
        { limit: 'slices' },
        'Job assay: limits.slices was reached in the last hour; what is beyond counts under __other__ or is not exported.',
      ],
    ],
  },
  {
    alert: 'AssayForgettingEarly',
    input: [
      series('assay_limit_reached_total', { ...a, limit: 'pending' }, '0x20 0+1x10 10x30'),
      series('assay_limit_reached_total', { ...a, limit: 'slices' }, '0x20 0+1x40'),
    ],
    ...warning(['20m'], '40m'),
    summary: 'State is full: old entries are dropped before their time.',
    fires: [[{ limit: 'pending' }, 'Job assay: limits.pending was reached in the last hour, 10 times.']],
  },
];
