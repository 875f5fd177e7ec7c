import type { Command } from 'commander';
import { type Context, required } from './context.ts';

/** `assay state summary|list|drop`. */
export function addState(program: Command, context: Context): void {
  const state = program.command('state').description('Look at and mend saved checkpoints.');
  const { signal } = context;
  state
    .command('summary')
    .description('Print the newest valid checkpoints of all partitions, merged, as a JSON summary.')
    .argument('<dir>', 'the state.dir of the configuration')
    .action(async (dir: string) => {
      const { summariseState } = await import('../app/state.ts');
      context.status = await summariseState({ dir, signal });
    });
  state
    .command('list')
    .description('Print a line of JSON for each checkpoint.')
    .argument('<dir>', 'the state.dir of the configuration')
    .action(async (dir: string) => {
      const { listCheckpoints } = await import('../app/state.ts');
      context.status = await listCheckpoints({ dir, signal });
    });
  state
    .command('drop')
    .description('Delete the checkpoints of a partition, so that it begins anew.')
    .argument('<dir>', 'the state.dir of the configuration')
    .option('--partition <partition>', 'partition, as topic/0 (required)')
    .action(async (dir: string, flags: { readonly partition?: string }) => {
      const partition = required(
        flags.partition,
        'state drop: --partition is missing; name one, such as predictions/0',
      );
      const { dropPartition } = await import('../app/state.ts');
      context.status = await dropPartition({ dir, partition, signal });
    });
}
