import type { Command } from 'commander';
import { missingForRun } from '../config/checks.ts';
import { UsageError } from '../errors.ts';
import { type ConfigFlag, type Context, configOption, effectiveConfig } from './context.ts';

interface RunFlags extends ConfigFlag {
  readonly untilEnd?: boolean;
  readonly rebuild?: boolean;
}

/** `assay run`. */
export function addRun(program: Command, context: Context): void {
  program
    .command('run')
    .description('The service: Kafka in; Prometheus, Arrow snapshots and dead letters out.')
    .addOption(configOption())
    .option('--until-end', 'stop at the ends that the topics have now (backfill, CI)')
    .option('--rebuild', 'forget the checkpoints of the group and score its topics again from their beginning')
    .action(async (flags: RunFlags) => {
      const config = effectiveConfig(context, flags.config);
      const missing = missingForRun(config);
      if (missing.length > 0) throw new UsageError(missing.join('\n'));
      const rebuild = flags.rebuild ?? false;
      const { beginRun } = await import('../app/begin-run.ts');
      const begun = beginRun(config, context.signal);
      const { run } = await import('../app/run.ts');
      context.status = await run({
        config,
        untilEnd: flags.untilEnd ?? false,
        rebuild,
        begun,
        signal: context.signal,
      });
    });
}
