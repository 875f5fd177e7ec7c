import { type Command, InvalidArgumentError } from 'commander';
import { durationOf, durationPattern } from '../config/duration.ts';
import { UsageError } from '../errors.ts';
import { type Context, required } from './context.ts';

interface DesignFlags {
  readonly baseline?: number;
  readonly worst?: number;
  readonly casesPerDay?: number;
  readonly falseAlarmEvery: number;
}

/** `assay watch design`. */
export function addWatch(program: Command, context: Context): void {
  const watch = program.command('watch').description('Plan alarms on rates.');
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
      const { watchDesign } = await import('../app/watch-design.ts');
      const design = watchDesign({ baseline, worst, casesPerDay, falseAlarmEveryMs });
      if (typeof design !== 'string') throw new UsageError(`watch design: ${design.problem}`);
      process.stdout.write(design);
      context.status = 0;
    });
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

function time(text: string): number {
  if (durationPattern.test(text) && durationOf(text).ms > 0) return durationOf(text).ms;
  throw new InvalidArgumentError('Give a whole number with a unit, such as 90d.');
}
