import type { Command } from 'commander';
import { UsageError } from '../errors.ts';
import type { Context } from './context.ts';
import { type EventFlags, eventsOf, withEvents } from './events.ts';

interface JudgeFlags extends EventFlags {
  readonly output?: string;
}

/** `assay judge`. */
export function addJudge(program: Command, context: Context): void {
  const command = program
    .command('judge')
    .description('Have a sample of the predictions judged by models: of files, or beside the service.')
    .option('-o, --output <file>', 'NDJSON file of judgements, which is gone on with; with --events');
  withEvents(command).action(async (flags: JudgeFlags) => {
    const { output } = flags;
    if (output === undefined) throw new UsageError('judge: --output is missing; name the file of judgements');
    const { judgeFiles } = await import('../app/judge/judge-files.ts');
    context.status = await judgeFiles({ ...eventsOf('judge', flags, context), output });
  });
}
