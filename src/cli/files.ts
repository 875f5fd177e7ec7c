import type { Command } from 'commander';
import { configFlag, type Context, type EventFlags, inputConfig, required, withInput } from './flags.ts';

/** `assay convert`. */
export function addConvert(program: Command, context: Context): void {
  const command = program
    .command('convert')
    .description('Write events of any form as native ones, as replay reads them.')
    .option('--events <path...>', 'files, read one after the other; - is stdin (required)')
    .option('--from <benchmark>', 'results of a benchmark: tau-results, swe-agent, bfcl-results or inspect');
  withInput(command)
    .option('-o, --output <file>', 'NDJSON file to write; - is stdout', '-')
    .option('--rejects <file>', 'write refused records as NDJSON')
    .option(...configFlag)
    .action(
      async (flags: EventFlags & { readonly output: string; readonly rejects?: string; readonly from?: string }) => {
        const events = required(flags.events, 'convert: --events is missing; name files of events, or - for stdin');
        const config = inputConfig(flags, context);
        const { convert } = await import('../commands/convert/convert.ts');
        const { output, rejects, from } = flags;
        context.status = await convert({ config, events, output, rejects, from, signal: context.signal });
      },
    );
}

/** `assay init`. */
export function addInit(program: Command, context: Context): void {
  program
    .command('init')
    .description('Make a first folder: a configuration, truth and events that run at once.')
    .argument('[dir]', 'folder', '.')
    .option('--from <format>', 'form of the events, such as openai.chat or anthropic.messages', 'assay')
    .action(async (dir: string, { from }: { readonly from: string }) => {
      const { init } = await import('../commands/init/init.ts');
      context.status = await init({ from, dir });
    });
}
