import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stampNote } from '../../src/service/stamp-notes.ts';

const minuteMs = 60_000;

for (const [isLogAppendTime, afterMaxMs, says] of [
  [true, undefined, /^topic t: the broker stamps .*: time\.max_future \(5m\) guards/],
  [false, 2 * minuteMs, /^topic t: producers stamp .* more than 2m ahead .* guards/],
  [false, 5 * minuteMs, /more than 5m ahead .* guards/],
  [
    false,
    60 * minuteMs,
    /passes time\.max_future; set message\.timestamp\.after\.max\.ms of the topic to 300000 \(it takes 1h now\)/,
  ],
  [false, undefined, /passes time\.max_future; .* \(it takes any now\), or message\.timestamp\.type to LogAppendTime$/],
] as const)
  test(`LogAppendTime ${isLogAppendTime}, after.max.ms ${afterMaxMs}`, () => {
    assert.match(stampNote({ topic: 't', isLogAppendTime, afterMaxMs }, 5 * minuteMs), says);
  });
