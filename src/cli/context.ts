import { InvalidArgumentError, Option } from 'commander';
import type { Config } from '../config/config.ts';
import { durationOf, durationPattern } from '../config/duration.ts';
import type { Setting } from '../config/layer.ts';
import { loadConfig } from '../config/load.ts';
import { UsageError } from '../errors.ts';

/** What a command gets from the process, and where it leaves its exit status. */
export interface Context {
  readonly environment: NodeJS.ProcessEnv;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  status: number;
}

export interface ConfigFlag {
  readonly config?: string;
}

/** `-c, --config <file>`. */
export function configOption(): Option {
  return new Option(
    '-c, --config <file>',
    'configuration, YAML; ASSAY_<SECTION>__<KEY> in the environment overrides it',
  );
}

/**
 * The value of a flag that must be there. Asked for here rather than of the command line's library, which would complain of it before
 * it complains of the misspelt flag.
 */
export function required<Value>(value: Value | undefined, complaint: string): Value {
  if (value === undefined) throw new UsageError(complaint);
  return value;
}

/** The effective configuration; warnings go to stderr. */
export function effectiveConfig(context: Context, file: string | undefined, flags: readonly Setting[] = []): Config {
  const { config, warnings } = loadConfig({ file, environment: context.environment, flags });
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
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

/** Collects the values of a flag that may be repeated. */
export function append(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** The milliseconds of a flag that is a duration. */
export function time(text: string): number {
  if (durationPattern.test(text) && durationOf(text).ms > 0) return durationOf(text).ms;
  throw new InvalidArgumentError('Give a whole number with a unit, such as 90d.');
}
