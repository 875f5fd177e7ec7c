import * as z from 'zod';
import { duration, key, list, text, whole } from './fields.ts';

const shareForm = 'is no share; give a number above 0 and below 1, such as 0.02';
const share = () => z.number({ error: shareForm }).gt(0, { error: shareForm }).lt(1, { error: shareForm });

const baselineForm = 'is no baseline; give a share such as 0.02, or {learn: 7d}';
const falseAlarmForm = 'is neither a time nor a number of cases; write it as 90d, or as {cases: 1000000}';
const whereForm = 'is no set of values; write it as {model: gpt-4o}';

const watch = z.strictObject({
  metric: key(
    text(),
    'decision.tool_hall',
    'A rate of the summary that has a direction, or a label of `decision.per_class`: `decision.per_class.direct.recall`.',
  ),
  by: key(
    list(text(), '[model]').optional(),
    ['model'],
    'One of `slices`, or [] for the total. Default: the total and each of `slices`.',
  ),
  where: key(
    z.record(z.string(), text(), { error: whereForm }).default({}),
    { model: 'gpt-4o' },
    'Only groups with these values. A group is watched by the first entry for its metric that fits it.',
  ),
  baseline: key(
    z.union([share(), z.strictObject({ learn: duration(1) })], { error: baselineForm }).optional(),
    0.02,
    'Share of bad cases while all is well, or {learn: 7d}: it is learned from so much time. Default: learned from the longest window.',
  ),
  worst: key(
    share().optional(),
    0.05,
    'Share of bad cases to be caught quickly. Default: twice the baseline, at least 3 points more.',
  ),
  false_alarm_every: key(
    z.union([duration(1), z.strictObject({ cases: whole(1) })], { error: falseAlarmForm }).prefault('30d'),
    '90d',
    'Mean time between false alarms of all groups together, or {cases: 1000000}: mean cases between those of each group.',
  ),
});

/** `watches`: rates that raise an alarm. */
export const watches = list(watch, '[{metric: decision.tool_hall}]').optional();
