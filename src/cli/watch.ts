import type { Command } from 'commander';
import { UsageError } from '../errors.ts';
import {
  configFlag,
  type Context,
  type EventFlags,
  eventsOf,
  numberFlag,
  positive,
  required,
  time,
  withInput,
} from './flags.ts';

/** `assay watch design`, `backtest` and `drill`. */
export function addWatch(program: Command, context: Context): void {
  const watch = program.command('watch').description('Plan alarms on rates, and try them.');
  addDesign(watch, context);
  addBacktest(watch, context);
  addDrill(watch, context);
}

interface DesignFlags {
  readonly baseline?: number;
  readonly worst?: number;
  readonly casesPerDay?: number;
  readonly falseAlarmEvery: number;
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

function addBacktest(watch: Command, context: Context): void {
  withHistory(watch.command('backtest'))
    .description('Print the alarms that recorded traffic would have given.')
    .option('--json', 'print them as JSON')
    .option('--summary <file>', 'write a summary with all alarms, for `assay report`')
    .action(async (flags: EventFlags & { readonly json?: boolean; readonly summary?: string }) => {
      const { watchBacktest } = await import('../commands/watch/watch-backtest.ts');
      context.status = await watchBacktest({
        ...flags,
        ...eventsOf('watch backtest', flags, context, { stdin: '', needsTruth: false }),
      });
    });
}

interface DrillFlags extends EventFlags {
  readonly metric?: string;
  readonly size: number;
  readonly for: number;
  readonly every: number;
  readonly seed: number;
  readonly json?: boolean;
}

function addDrill(watch: Command, context: Context): void {
  withHistory(watch.command('drill'))
    .description('Plant spikes into recorded traffic, and print how soon the watches see them.')
    .option('--metric <path>', 'the rate that goes wrong (default: each that is watched)')
    .option('--size <share>', 'share of the good cases that become bad', share, 0.2)
    .option('--for <duration>', 'how long a spike lasts', time, time('30m'))
    .option('--every <duration>', 'least time from one spike to the next', time, time('4h'))
    .option('--seed <number>', 'seed of times, groups and cases', positive, 1)
    .option('--json', 'print each spike as JSON')
    .action(async (flags: DrillFlags) => {
      const { watchDrill } = await import('../commands/watch/watch-drill.ts');
      const files = eventsOf('watch drill', flags, context, { stdin: '' });
      context.status = await watchDrill({ ...flags, ...files, forMs: flags.for, everyMs: flags.every });
    });
}

function withHistory(command: Command): Command {
  command
    .option('--truth <path...>', 'truth tables: files, or folders of them (default: truth.paths)')
    .option('--events <path...>', 'files of predictions, in the order of their time');
  return withInput(command).option(...configFlag);
}

const share = numberFlag('share above 0 and below 1, such as 0.02', (number) => number > 0 && number < 1);
