import type { Command } from 'commander';
import { missingForRun } from '../config/checks.ts';
import { configYaml } from '../config/config-yaml.ts';
import { configJsonSchema } from '../config/json-schema.ts';
import { type ConfigFlag, type Context, configOption, effectiveConfig } from './context.ts';

/** `assay config check|print|schema`. */
export function addConfig(program: Command, context: Context): void {
  const config = program.command('config').description('Check, print or describe the configuration.');
  config
    .command('check')
    .description(
      'Validate the configuration (file, environment and defaults together), and estimate the memory that it can take.',
    )
    .addOption(configOption())
    .action(async (flags: ConfigFlag) => {
      const effective = effectiveConfig(context, flags.config);
      process.stderr.write('the configuration is valid\n');
      for (const line of missingForRun(effective)) process.stderr.write(`assay run will refuse it: ${line}\n`);
      const { memoryEstimate, memoryTable } = await import('../app/memory.ts');
      process.stdout.write(`${memoryTable(memoryEstimate(effective))}\n`);
    });
  config
    .command('print')
    .description('Print the effective configuration as YAML, with secrets masked.')
    .addOption(configOption())
    .action((flags: ConfigFlag) => {
      process.stdout.write(configYaml(effectiveConfig(context, flags.config)));
    });
  config
    .command('schema')
    .description('Print the JSON Schema of the configuration file, for editors.')
    .action(() => {
      process.stdout.write(`${JSON.stringify(configJsonSchema(), null, 2)}\n`);
    });
}
