import type { Command } from 'commander';
import { type Context, required } from './context.ts';

/** `assay report`. */
export function addReport(program: Command, context: Context): void {
  program
    .command('report')
    .description('Make one HTML file of a summary, or of several and of folders of snapshots: then with their history.')
    .argument('<input...>', 'summary files, aggregate snapshots, folders of snapshots')
    .option('-o, --output <file>', 'HTML file to write; - is stdout (required)')
    .action(async (inputs: readonly string[], flags: { readonly output?: string }) => {
      const output = required(flags.output, 'report: --output is missing; name the HTML file to write');
      const { report } = await import('../app/report.ts');
      context.status = await report({ inputs, output, signal: context.signal });
    });
}
