import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import { type ConfigFlag, type Context, configOption, effectiveConfig, required } from './context.ts';
import { addInputOptions, type InputFlags, inputSettings, setting } from './input.ts';

interface EventFlags extends ConfigFlag, InputFlags {
  readonly truth?: readonly string[];
  readonly events?: readonly string[];
}

/** Adds the flags of commands that score files of events to look at them. */
function withEvents(command: Command): Command {
  command
    .option('--truth <path...>', 'truth: Arrow or NDJSON files, or folders of Arrow files (default: truth.paths)')
    .option('--events <path...>', 'predictions: files and folders, as of replay; - is stdin (required)');
  return addInputOptions(command).addOption(configOption());
}

/** `assay explain`. */
export function addExplain(program: Command, context: Context): void {
  const command = program
    .command('explain')
    .description('What each family says of one event, the pairing of its calls, and the first difference.')
    .option('--id <id>', 'its example_id or event_id (required)');
  withEvents(command).action(async (flags: EventFlags & { readonly id?: string }) => {
    const id = required(flags.id, 'explain: --id is missing; name an example_id or event_id');
    const { explain } = await import('../app/explain.ts');
    context.status = await explain({ id, ...eventsOf('explain', flags, context) });
  });
}

/** `assay truth suspects`, below `assay truth`. */
export function addSuspects(truth: Command, context: Context): void {
  const command = truth
    .command('suspects')
    .description('Examples of which several models say the same, and not what the truth says; a line of JSON each.')
    .option('--models <number>', 'models that must agree', whole, 2);
  withEvents(command).action(async (flags: EventFlags & { readonly models: number }) => {
    const { truthSuspects } = await import('../app/truth-suspects.ts');
    context.status = await truthSuspects({ models: flags.models, ...eventsOf('truth suspects', flags, context) });
  });
}

function eventsOf(command: string, flags: EventFlags, context: Context) {
  const events = required(flags.events, `${command}: --events is missing; name files of predictions, or - for stdin`);
  const config: Config = effectiveConfig(context, flags.config, [
    ...setting('--truth', ['truth', 'paths'], flags.truth),
    ...inputSettings(flags),
  ]);
  const truth = config.truth.paths;
  if (truth.length === 0) throw new UsageError(`${command}: there is no truth; give --truth PATH, or truth.paths`);
  return { config, truth, events, signal: context.signal };
}

function whole(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('Give a whole number above 0.');
}
