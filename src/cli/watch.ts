import { type Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../errors.ts';
import type { HistoryFiles } from '../commands/watch/fold-history.ts';
import { type ConfigFlag, type Context, configOption, effectiveConfig, required, time } from './context.ts';
import { addInputOptions, type InputFlags, inputSettings, setting } from './input.ts';

interface DesignFlags {
  readonly baseline?: number;
  readonly worst?: number;
  readonly casesPerDay?: number;
  readonly falseAlarmEvery: number;
}

/** `assay watch design`, `backtest` and `drill`. */
export function addWatch(program: Command, context: Context): void {
  const watch = program.command('watch').description('Plan alarms on rates, and try them.');
  addDesign(watch, context);
  addBacktest(watch, context);
  addDrill(watch, context);
}

function addDesign(watch: Command, context: Context): void {
  watch
    .command('design')
    .description('Print what a watch would do: its mean time to a false alarm, and its delays, computed exactly.')
    .option('--baseline <rate>', 'share of bad cases while all is well, such as 0.02 (required)', share)
    .option('--worst <rate>', 'share to be caught quickly (default: twice the baseline, at least 3 points more)', share)
    .option('--cases-per-day <number>', 'cases that come in a day (required)', positive)
    .option('--false-alarm-every <duration>', 'mean time to a false alarm, such as 90d', time, time('30d'))
    .action(async (flags: DesignFlags) => {
      const baseline = required(flags.baseline, 'watch design: --baseline is missing; give a rate such as 0.02');
      const complaint = 'watch design: --cases-per-day is missing; give a number such as 40000';
      const casesPerDay = required(flags.casesPerDay, complaint);
      const { worst, falseAlarmEvery: falseAlarmEveryMs } = flags;
      const { watchDesign } = await import('../commands/watch/watch-design.ts');
      const design = watchDesign({ baseline, worst, casesPerDay, falseAlarmEveryMs });
      if (typeof design !== 'string') throw new UsageError(`watch design: ${design.problem}`);
      process.stdout.write(design);
      context.status = 0;
    });
}

interface HistoryFlags extends ConfigFlag, InputFlags {
  readonly truth?: readonly string[];
  readonly events?: readonly string[];
}

interface BacktestFlags extends HistoryFlags {
  readonly json?: boolean;
  readonly summary?: string;
}

function addBacktest(watch: Command, context: Context): void {
  addHistoryOptions(watch.command('backtest'))
    .description('Print the alarms that recorded traffic would have given.')
    .option('--json', 'print them as JSON')
    .option('--summary <file>', 'write a summary with all alarms, for `assay report`')
    .action(async (flags: BacktestFlags) => {
      const { watchBacktest } = await import('../commands/watch/watch-backtest.ts');
      const { json = false, summary } = flags;
      context.status = await watchBacktest({ ...historyOf('backtest', flags, context), json, summary });
    });
}

interface DrillFlags extends HistoryFlags {
  readonly metric?: string;
  readonly size: number;
  readonly for: number;
  readonly every: number;
  readonly seed: number;
  readonly json?: boolean;
}

function addDrill(watch: Command, context: Context): void {
  addHistoryOptions(watch.command('drill'))
    .description('Plant spikes into recorded traffic, and print how soon the watches see them.')
    .option('--metric <path>', 'the rate that goes wrong (default: each that is watched)')
    .option('--size <share>', 'share of the good cases that become bad', share, 0.2)
    .option('--for <duration>', 'how long a spike lasts', time, time('30m'))
    .option('--every <duration>', 'least time from one spike to the next', time, time('4h'))
    .option('--seed <number>', 'seed of times, groups and cases', positive, 1)
    .option('--json', 'print each spike as JSON')
    .action(async (flags: DrillFlags) => {
      const { watchDrill } = await import('../commands/watch/watch-drill.ts');
      const { metric, size, for: forMs, every: everyMs, seed, json = false } = flags;
      const files = historyOf('drill', flags, context);
      context.status = await watchDrill({ ...files, metric, size, forMs, everyMs, seed, json });
    });
}

function addHistoryOptions(command: Command): Command {
  return addInputOptions(
    command
      .option('--truth <path...>', 'truth tables: files, or folders of them (default: truth.paths)')
      .option('--events <path...>', 'files of predictions, in the order of their time'),
  ).addOption(configOption());
}

function historyOf(name: string, flags: HistoryFlags, context: Context): HistoryFiles {
  const events = required(flags.events, `watch ${name}: --events is missing; name files of predictions`);
  const settings = [...setting('--truth', ['truth', 'paths'], flags.truth), ...inputSettings(flags)];
  const config = effectiveConfig(context, flags.config, settings);
  const truth = config.truth.paths;
  if (truth.length === 0) throw new UsageError(`watch ${name}: there is no truth; give --truth PATH, or truth.paths`);
  return { config, truth, events, signal: context.signal };
}

function share(text: string): number {
  const number = Number(text);
  if (number > 0 && number < 1) return number;
  throw new InvalidArgumentError('Give a share above 0 and below 1, such as 0.02.');
}

function positive(text: string): number {
  const number = Number(text);
  if (number > 0 && Number.isFinite(number)) return number;
  throw new InvalidArgumentError('Give a number above 0.');
}
