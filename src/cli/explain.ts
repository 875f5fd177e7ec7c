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

function whole(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('Give a whole number above 0.');
}
