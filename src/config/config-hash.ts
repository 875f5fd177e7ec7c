import { createHash } from 'node:crypto';
import type { Config } from './config.ts';
import { durationText, isTime } from './duration.ts';
import { isPlainObject } from './layer.ts';

/** A key of the effective configuration with its value as text. Equal values have equal texts: `60s` and `1m` are both `1m`. */
interface SettingText {
  readonly key: string;
  readonly value: string;
}

/**
 * Settings that a partition's state depends on, by key as a checkpoint holds them: the state cannot be continued under others. Settings
 * of readings, inputs and outputs alone are not among them.
 */
export function shapingByKey(config: Config): Readonly<Record<string, string>> {
  const shaping = settingsOf(config).filter(({ key }) => !isAmong(key, readings));
  return Object.fromEntries(shaping.map(({ key, value }) => [key, value]));
}

/**
 * Identity of how the numbers are made, 16 hex digits: equal hashes and equal input give an equal summary. It covers the settings
 * that shape the state and those that readings depend on; not where events and truth come from, where results go, nor any secret.
 */
export function configHash(config: Config): string {
  const lines = settingsOf(config).map(({ key, value }) => `${key}=${value}\n`);
  return createHash('sha256').update(lines.join('')).digest('hex').slice(0, 16);
}

/** Settings, and sections of them, that only change what is read from the state. */
const readings = [
  'time.idle_after',
  'watches',
  'metrics.interval',
  'metrics.trajectory.min_combination_count',
  'metrics.schema.weights',
];

/** Settings that change neither: limits of what is shown and held beside the state, and what the mode of each family says already. */
const neither = [
  'metrics.mode',
  ...['groups_exported', 'series', 'score_rows', 'truth_load', 'batch_bytes'].map((name) => `limits.${name}`),
];

function isAmong(key: string, settings: readonly string[]): boolean {
  return settings.some((setting) => key === setting || key.startsWith(`${setting}.`));
}

/** The settings of judgements where none are read. */
const unread = { semantic: { enabled: false }, judge: { enabled: false } };

/** Settings that numbers depend on, in the order of the schema. */
function settingsOf(config: Config): readonly SettingText[] {
  const { kafka, input, runs, decision, tools, time, join, feedback, dedupe, slices, metrics, watches } = config;
  const { revisable, ...limits } = config.limits;
  const isRevised = kafka.feedback_topic !== undefined;
  const { interval, ...families } = metrics;
  // Only what is set: under native events hashes stay what they were.
  const { format, response, request, fields, topics } = input;
  const given = {
    ...(format && { format }),
    ...(response && { response }),
    ...(request && { request }),
    fields,
    topics,
  };
  const sections = {
    input: given,
    runs: Object.fromEntries(Object.entries(runs).filter(([, given]) => given !== undefined)),
    ...(decision.rules && { decision }),
    tools: onlySet(tools),
    time,
    join,
    ...(isRevised && { feedback: { ...feedback, outcomes: onlySet(feedback.outcomes) } }),
    dedupe,
    slices,
    metrics: { ...families, ...(kafka.judgements_topic === undefined && unread), interval },
    ...(watches && { watches }),
    limits: { ...limits, ...(isRevised && { revisable }) },
  };
  return flat(sections, '').filter(({ key }) => !isAmong(key, neither));
}

/** The lists that hold something: what is not set leaves hashes what they were. */
function onlySet(lists: Readonly<Record<string, readonly unknown[]>>): object {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}

function flat(section: object, prefix: string): SettingText[] {
  return Object.entries(section).flatMap(([name, value]) => {
    const key = `${prefix}${name}`;
    if (isPlainObject(value) && !isTime(value)) return flat(value, `${key}.`);
    const canonical = canonicalValue(value);
    return [{ key, value: typeof canonical === 'string' ? canonical : JSON.stringify(canonical) }];
  });
}

function canonicalValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonicalValue);
  if (isTime(value)) return durationText(value.ms);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, canonicalValue(inner)]));
}
