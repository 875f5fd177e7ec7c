import type { Command } from 'commander';
import type { Context } from './context.ts';

/** `assay compare`. */
export function addCompare(program: Command, context: Context): void {
  program
    .command('compare')
    .description('Is a candidate good enough to replace a reference? Prints a line of JSON for each metric.')
    .argument('<a>', 'reference: a summary file, or FILE#model=x')
    .argument('<b>', 'candidate, the same')
    .option('--metric <path>', 'path of the summary (default: arguments.args_exact_rate, structured.exact_match_rate)')
    .action(async (a: string, b: string, flags: { readonly metric?: string }) => {
      const { compare } = await import('../app/compare.ts');
      context.status = await compare({ a, b, metric: flags.metric });
    });
}
