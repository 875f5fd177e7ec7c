import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import { type ConfigFlag, type Context, configOption, effectiveConfig, required } from './context.ts';
import { addInputOptions, type InputFlags, inputSettings, setting } from './input.ts';

/** Flags of commands that score files of events to look at them. */
export interface EventFlags extends ConfigFlag, InputFlags {
  readonly truth?: readonly string[];
  readonly events?: readonly string[];
}

/** Adds the flags of commands that score files of events to look at them; `lacking` says what there is without `--events`. */
export function withEvents(command: Command, lacking = 'required'): Command {
  command
    .option('--truth <path...>', 'truth: Arrow or NDJSON files, or folders of them (default: truth.paths)')
    .option('--events <path...>', `predictions: files and folders, as of replay; - is stdin (${lacking})`);
  return addInputOptions(command).addOption(configOption());
}

/** What those flags ask for. */
export function eventsOf(command: string, flags: EventFlags, context: Context) {
  const events = required(flags.events, `${command}: --events is missing; name files of predictions, or - for stdin`);
  const config: Config = effectiveConfig(context, flags.config, [
    ...setting('--truth', ['truth', 'paths'], flags.truth),
    ...inputSettings(flags),
  ]);
  const truth = config.truth.paths;
  if (truth.length === 0) throw new UsageError(`${command}: there is no truth; give --truth PATH, or truth.paths`);
  return { config, truth, events, signal: context.signal };
}
