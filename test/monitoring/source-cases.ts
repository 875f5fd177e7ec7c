import { type Case, series } from './operating-case.ts';

const a = { instance: 'a' };
const b = { instance: 'b' };

/** Alerts on the brokers and on the clocks of producers. */
export const sourceCases: readonly Case[] = [
  {
    alert: 'AssayKafkaSilent',
    // a has answers all the time; b has none from minute 10 to minute 20.
    input: [
      series('assay_kafka_last_response_timestamp_seconds', a, '0+60x60'),
      series('assay_kafka_last_response_timestamp_seconds', b, '0+60x10 600x10 1320+60x38'),
    ],
    ...{ silentAt: ['5m', '12m', '25m'], firingAt: '18m', severity: 'critical' },
    summary: 'Kafka does not answer: nothing is scored.',
    fires: [[b, 'b last had an answer of its brokers 8m 0s ago.']],
  },
  {
    alert: 'AssayEventTimeAhead',
    input: [
      series('assay_event_time_ahead_seconds', { ...a, topic: 'right', partition: '0' }, '0x60'),
      series('assay_event_time_ahead_seconds', { ...a, topic: 'close', partition: '0' }, '60x60'),
      series('assay_event_time_ahead_seconds', { ...a, topic: 'ahead', partition: '0' }, '0x10 300x50'),
    ],
    ...{ silentAt: ['5m', '15m'], firingAt: '20m', severity: 'warning' },
    summary: 'A clock is wrong: event time is ahead, so windows close early.',
    fires: [[{ topic: 'ahead', partition: '0' }, 'ahead/0: event time is 5m 0s ahead of the clock of the instance.']],
  },
];
