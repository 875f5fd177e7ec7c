import type { Command } from 'commander';
import { type Context, required } from './context.ts';

interface BuildFlags {
  readonly output?: string;
  readonly skipInvalid?: boolean;
}

/** `assay truth build|inspect`. */
export function addTruth(program: Command, context: Context): void {
  const truth = program.command('truth').description('Make and look at truth tables.');
  truth
    .command('build')
    .description('Make one Arrow truth table from NDJSON truth records.')
    .argument('<in...>', 'NDJSON files')
    .option('-o, --output <file>', 'truth table to write (required)')
    .option('--skip-invalid', 'count invalid and repeated records instead of refusing them')
    .action(async (inputs: readonly string[], flags: BuildFlags) => {
      const output = required(flags.output, 'truth build: --output is missing; name the table to write');
      const { skipInvalid = false } = flags;
      const { buildTruth } = await import('../app/truth.ts');
      context.status = await buildTruth({ inputs, output, skipInvalid, signal: context.signal });
    });
  truth
    .command('inspect')
    .description('Print what a truth table holds, or what is wrong with it.')
    .argument('<table>', 'Arrow truth table')
    .action(async (path: string) => {
      const { inspectTruth } = await import('../app/truth.ts');
      context.status = await inspectTruth({ path, signal: context.signal });
    });
}
