import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../config/config.ts';
import { durationOf, durationPattern } from '../config/duration.ts';
import type { Setting } from '../config/layer.ts';
import { limitFileModes } from '../config/file-mode.ts';
import { loadConfig } from '../config/load.ts';
import { UsageError } from '../errors.ts';

/** Surroundings of a command, and its exit status. */
export interface Context {
  readonly environment: NodeJS.ProcessEnv;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  status: number;
}

export interface ConfigFlag {
  readonly config?: string;
}

/** Flags of commands that read records. */
export interface InputFlags extends ConfigFlag {
  readonly format?: string;
  readonly field?: readonly string[];
  readonly response?: string;
  readonly request?: string;
  readonly runsBy?: string;
}

/** Flags of commands that score files of events. */
export interface EventFlags extends InputFlags {
  readonly truth?: readonly string[];
  readonly truthField?: readonly string[];
  readonly events?: readonly string[];
  readonly feedback?: readonly string[];
}

/** `-c, --config <file>`: the arguments of `Command.option`. */
export const configFlag = [
  '-c, --config <file>',
  'configuration, YAML; ASSAY_<SECTION>__<KEY> in the environment overrides it',
] as const;

/** `--truth <path...>`: the arguments of `Command.option`. */
export const truthFlag = [
  '--truth <path...>',
  'truth: files, as for --events, and folders of them; - is stdin (default: truth.paths)',
] as const;

/** `--truth-field <name=place>`; with `append`. */
export const truthFieldFlag = [
  '--truth-field <name=place>',
  'where a field of truth records lies: truth.fields.NAME; again for another place',
] as const;

/** `--feedback <path...>`: the arguments of `Command.option`. */
export const feedbackFlag = [
  '--feedback <path...>',
  'feedback on single events: files and folders, as for --events',
] as const;

/** `--report <form>`; with `append`. */
export const reportFlag = [
  '--report <form>',
  'report for continuous integration: junit=FILE, or github; may be repeated',
] as const;

/** The file that GitHub shows as the summary of a step. */
export function stepSummary({ environment }: Context): { readonly stepSummary: string | undefined } {
  return { stepSummary: environment['GITHUB_STEP_SUMMARY'] };
}

/** Adds `InputFlags`, without `--config`, to a command. */
export function withInput(command: Command): Command {
  return command
    .option('--format <format>', 'form of the events: input.format (default: auto)')
    .option('--field <name=place>', 'where a field lies: input.fields.NAME; again for another place', append)
    .option('--response <pointer>', "where the provider's answer lies: input.response")
    .option('--request <pointer>', 'where the request lies: input.request')
    .option(
      '--runs-by <key>',
      'steps of one run: runs.by (trace, span, example, off, or a place; default: trace for spans)',
    );
}

/** Adds `EventFlags` to a command. `without` says in the help what happens without `--events`. */
export function withEvents(command: Command, without = 'required'): Command {
  command
    .option(...truthFlag)
    .option(...truthFieldFlag, append)
    .option('--events <path...>', `predictions: files and folders, as of replay; - is stdin (${without})`);
  return withInput(command).option(...configFlag);
}

/**
 * The value of a flag that must be given. Commander's own check of mandatory options comes before its check of misspelt flags, which says
 * more.
 */
export function required<Value>(value: Value | undefined, complaint: string): Value {
  if (value === undefined) throw new UsageError(complaint);
  return value;
}

/** The effective configuration; warnings go to stderr. Files that are made from now on have the mode that it says. */
export function effectiveConfig(context: Context, file: string | undefined, flags: readonly Setting[] = []): Config {
  const { config, warnings } = loadConfig({ file, environment: context.environment, flags });
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  limitFileModes(config.files.mode);
  return config;
}

/** The effective configuration of a command that refuses some. */
export function usableConfig(
  context: Context,
  file: string | undefined,
  refusalsOf: (config: Config) => readonly string[],
): Config {
  const config = effectiveConfig(context, file);
  const refusals = refusalsOf(config);
  if (refusals.length > 0) throw new UsageError(refusals.join('\n'));
  return config;
}

/** The effective configuration under `InputFlags`. */
export function inputConfig(flags: InputFlags, context: Context, settings: readonly Setting[] = []): Config {
  const { format, field = [], response, request, runsBy } = flags;
  return effectiveConfig(context, flags.config, [
    ...settings,
    ...setting('--format', ['input', 'format'], format),
    ...setting('--response', ['input', 'response'], response),
    ...setting('--request', ['input', 'request'], request),
    ...setting('--runs-by', ['runs', 'by'], runsBy),
    ...fieldSettings('--field', ['input', 'fields'], field),
  ]);
}

/**
 * Files and configuration of a command that scores events. `stdin` says in the complaint that `-` may be given; `needsTruth`: it is of no use without
 * truth.
 */
export function eventsOf(
  command: string,
  flags: EventFlags,
  context: Context,
  {
    settings = [],
    stdin = ', or - for stdin',
    needsTruth = true,
  }: { readonly settings?: readonly Setting[]; readonly stdin?: string; readonly needsTruth?: boolean } = {},
) {
  const events = required(flags.events, `${command}: --events is missing; name files of predictions${stdin}`);
  const config = inputConfig(flags, context, [
    ...setting('--truth', ['truth', 'paths'], flags.truth),
    ...truthFieldSettings(flags),
    ...settings,
  ]);
  const truth = config.truth.paths;
  if (truth.length === 0 && (needsTruth || !config.metrics.tool_use.enabled))
    throw new UsageError(`${command}: there is no truth; give --truth PATH, or truth.paths`);
  if (truth.includes('-') && events.includes('-'))
    throw new UsageError(`${command}: --truth and --events are both -; only one can be read from stdin`);
  return { config, truth, events, feedback: flags.feedback, signal: context.signal };
}

/** The flags that name the same events, truth and configuration to another command. */
export function eventArguments(flags: EventFlags): string[] {
  const { truth, truthField = [], events, feedback, format, field = [], response, request, runsBy, config } = flags;
  const given: readonly (readonly [string, string | readonly string[] | undefined])[] = [
    ['--truth', truth],
    ...truthField.map((text) => ['--truth-field', text] as const),
    ['--events', events],
    ['--feedback', feedback],
    ['--format', format],
    ...field.map((text) => ['--field', text] as const),
    ['--response', response],
    ['--request', request],
    ['--runs-by', runsBy],
    ['--config', config],
  ];
  return given.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value].flat()));
}

/** The key of the configuration that a flag sets, where the flag is given. */
export function setting(flag: string, path: readonly string[], value: unknown): readonly Setting[] {
  return value === undefined ? [] : [{ path, value, place: flag }];
}

/** The settings of `--truth-field`. */
export function truthFieldSettings({ truthField = [] }: Pick<EventFlags, 'truthField'>): readonly Setting[] {
  return fieldSettings('--truth-field', ['truth', 'fields'], truthField);
}

/** `--field example_id=/id`; of several places for one field, the first present counts. */
function fieldSettings(flag: string, path: readonly string[], given: readonly string[]): readonly Setting[] {
  const places = new Map<string, string[]>();
  for (const text of given) {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError(`${flag} ${text} is not NAME=PLACE; write it as example_id=/metadata/id`);
    const name = text.slice(0, at);
    places.set(name, [...(places.get(name) ?? []), text.slice(at + 1)]);
  }
  return [...places].flatMap(([name, list]) => setting(flag, [...path, name], list));
}

/** Collects the values of a flag that may be repeated. */
export function append(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** The milliseconds of a flag that is a duration. */
export function time(text: string): number {
  if (durationPattern.test(text) && durationOf(text).ms > 0) return durationOf(text).ms;
  throw new InvalidArgumentError('Give a whole number with a unit, such as 90d.');
}

/** A flag that is a duration, whose default is shown in the help as it would be written. */
export function duration(flags: string, description: string, preset: string): Option {
  return new Option(flags, description).argParser(time).default(time(preset), preset);
}

/** A parser of numbers that fit; `remedy` completes "Give a …". */
export function numberFlag(remedy: string, fits: (number: number) => boolean): (text: string) => number {
  return (text) => {
    const number = text.trim() === '' ? Number.NaN : Number(text);
    if (fits(number)) return number;
    throw new InvalidArgumentError(`Give a ${remedy}.`);
  };
}

export const positive: (text: string) => number = numberFlag(
  'number above 0',
  (number) => number > 0 && Number.isFinite(number),
);

export const whole: (text: string) => number = numberFlag(
  'whole number from 1 to 9999',
  (number) => Number.isInteger(number) && number > 0 && number < 10_000,
);

/** A parser of file names with one of some endings, or that are `-`. */
export function fileFlag(remedy: string, form: RegExp): (file: string) => string {
  return (file) => {
    if (form.test(file)) return file;
    throw new InvalidArgumentError(`The name says the form: it ends in ${remedy}.`);
  };
}
