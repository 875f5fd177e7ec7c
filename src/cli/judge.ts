import type { Command } from 'commander';
import { refusalsOfRun } from '../config/checks.ts';
import { UsageError } from '../errors.ts';
import { type Context, type EventFlags, eventsOf, feedbackFlag, required, usableConfig, withEvents } from './flags.ts';

interface JudgeFlags extends EventFlags {
  readonly output?: string;
  readonly human?: string | true;
  readonly untilEnd?: boolean;
}

/** `assay judge`. */
export function addJudge(program: Command, context: Context): void {
  const command = program
    .command('judge')
    .description('Have a sample of the predictions judged by models: of files, or beside the service.')
    .option('-o, --output <file>', 'NDJSON file of judgements, which is gone on with; with --events')
    .option('--until-end', 'beside the service: stop at the ends that the topics have now')
    .option('--human [name]', 'a person judges, at this terminal, one key each');
  withEvents(command, 'without it: beside the service').action(async (flags: JudgeFlags) => {
    const { output } = flags;
    if (flags.events === undefined && output === undefined && flags.human === undefined) {
      context.status = await beside(flags, context);
      return;
    }
    if (output === undefined) throw new UsageError('judge: --output is missing; name the file of judgements');
    if (flags.human !== undefined) {
      const name = flags.human === true ? (context.environment['USER'] ?? 'unknown') : flags.human;
      const { judgeHuman } = await import('../commands/judge/judge-human.ts');
      context.status = await judgeHuman({ ...eventsOf('judge', flags, context, { needsTruth: false }), output, name });
      return;
    }
    const { judgeFiles } = await import('../commands/judge/judge-files.ts');
    context.status = await judgeFiles({ ...eventsOf('judge', flags, context, { needsTruth: false }), output });
  });
}

/** `assay judge` beside the service. */
async function beside({ config: file, untilEnd = false }: JudgeFlags, context: Context): Promise<number> {
  const config = usableConfig(context, file, refusalsOfRun);
  const { judgeService } = await import('../commands/judge/judge-service.ts');
  return await judgeService({ config, untilEnd, signal: context.signal });
}

/** `assay explain`. */
export function addExplain(program: Command, context: Context): void {
  const command = program
    .command('explain')
    .description('What each family says of one event, the pairing of its calls, and the first difference.')
    .option('--id <id>', 'its example_id or event_id (required)')
    .option(...feedbackFlag);
  withEvents(command).action(async (flags: EventFlags & { readonly id?: string }) => {
    const id = required(flags.id, 'explain: --id is missing; name an example_id or event_id');
    const { explain } = await import('../commands/explain/explain.ts');
    context.status = await explain({ id, ...eventsOf('explain', flags, context, { needsTruth: false }) });
  });
}
