import { type Command, InvalidArgumentError } from 'commander';
import { type Context, required } from './context.ts';
import { type EventFlags, eventsOf, withEvents } from './events.ts';

/** `assay explain`. */
export function addExplain(program: Command, context: Context): void {
  const command = program
    .command('explain')
    .description('What each family says of one event, the pairing of its calls, and the first difference.')
    .option('--id <id>', 'its example_id or event_id (required)');
  withEvents(command).action(async (flags: EventFlags & { readonly id?: string }) => {
    const id = required(flags.id, 'explain: --id is missing; name an example_id or event_id');
    const { explain } = await import('../commands/explain/explain.ts');
    context.status = await explain({ id, ...eventsOf('explain', flags, context) });
  });
}

interface SuspectsFlags extends EventFlags {
  readonly models: number;
  readonly judgements?: readonly string[];
}

/** `assay truth suspects`, below `assay truth`. */
export function addSuspects(truth: Command, context: Context): void {
  const command = truth
    .command('suspects')
    .description('Examples of which several models, or a judge, contradict the truth; a line of JSON each.')
    .option('--models <number>', 'models that must agree', whole, 2)
    .option('--judgements <path...>', 'judgements on the predictions: what a judge passes is suspect, too');
  withEvents(command).action(async (flags: SuspectsFlags) => {
    const { models, judgements } = flags;
    const { truthSuspects } = await import('../commands/truth/truth-suspects.ts');
    context.status = await truthSuspects({ models, judgements, ...eventsOf('truth suspects', flags, context) });
  });
}

function whole(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('Give a whole number above 0.');
}
