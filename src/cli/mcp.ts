import type { Command } from 'commander';
import { UsageError } from '../errors.ts';
import type { Context } from './flags.ts';

/** `assay mcp`. */
export function addMcp(program: Command, context: Context): void {
  program
    .command('mcp')
    .description('Answer an agent over the Model Context Protocol (stdio): five tools, which change nothing.')
    .argument('[path]', 'a summary file, or a folder of checkpoints (state.dir)')
    .option('--url <address>', 'a running service instead, such as http://127.0.0.1:9464')
    .action(async (path: string | undefined, { url }: { readonly url?: string }) => {
      if ((path === undefined) === (url === undefined))
        throw new UsageError('mcp: name one of a summary file, a folder of checkpoints, and --url');
      const from = path === undefined ? { url: url! } : { path };
      const { mcp } = await import('../commands/mcp/mcp.ts');
      context.status = await mcp({ from, signal: context.signal });
    });
}
