import { type Command, InvalidArgumentError } from 'commander';
import { refusalsOfRun } from '../config/checks.ts';
import { configYaml } from '../config/config-yaml.ts';
import { configJsonSchema } from '../config/json-schema.ts';
import { UsageError } from '../errors.ts';
import { type ConfigFlag, type Context, configOption, effectiveConfig, required } from './context.ts';

/*
 * The commands without many flags, as in docs/reference/command-line.md.
 */

/** `assay run`. */
export function addRun(program: Command, context: Context): void {
  program
    .command('run')
    .description('The service: Kafka in; Prometheus, Arrow snapshots and dead letters out.')
    .addOption(configOption())
    .option('--until-end', 'stop at the ends that the topics have now (backfill, CI)')
    .option('--rebuild', 'forget the checkpoints of the group and score its topics again from their beginning')
    .action(async (flags: ConfigFlag & { readonly untilEnd?: boolean; readonly rebuild?: boolean }) => {
      const config = effectiveConfig(context, flags.config);
      const refusals = refusalsOfRun(config);
      if (refusals.length > 0) throw new UsageError(refusals.join('\n'));
      const { untilEnd = false, rebuild = false } = flags;
      const { signal } = context;
      const { beginRun } = await import('../app/begin-run.ts');
      const begun = beginRun(config, signal);
      const { run } = await import('../app/run.ts');
      context.status = await run({ config, untilEnd, rebuild, begun, signal });
    });
}

interface BuildFlags extends ConfigFlag {
  readonly output?: string;
  readonly skipInvalid?: boolean;
}

/** `assay truth build|inspect`. */
export function addTruth(program: Command, context: Context): void {
  const truth = program.command('truth').description('Make and look at truth tables.');
  const { signal } = context;
  truth
    .command('build')
    .description('Make one Arrow truth table from NDJSON truth records.')
    .argument('<in...>', 'NDJSON files')
    .option('-o, --output <file>', 'truth table to write (required)')
    .option('--skip-invalid', 'count invalid and repeated records instead of refusing them')
    .addOption(configOption())
    .action(async (inputs: readonly string[], flags: BuildFlags) => {
      const output = required(flags.output, 'truth build: --output is missing; name the table to write');
      const { skipInvalid = false } = flags;
      const { calls: callsMax } = effectiveConfig(context, flags.config).limits;
      const { buildTruth } = await import('../app/truth.ts');
      context.status = await buildTruth({ inputs, output, skipInvalid, callsMax, signal });
    });
  truth
    .command('inspect')
    .description('Print what a truth table holds, or what is wrong with it.')
    .argument('<table>', 'Arrow truth table')
    .addOption(configOption())
    .action(async (path: string, flags: ConfigFlag) => {
      const { calls: callsMax } = effectiveConfig(context, flags.config).limits;
      const { inspectTruth } = await import('../app/truth.ts');
      context.status = await inspectTruth({ path, callsMax, signal });
    });
}

/** `assay state summary|list|drop`. */
export function addState(program: Command, context: Context): void {
  const state = program.command('state').description('Look at and mend saved checkpoints.');
  const { signal } = context;
  const ofFolder = (name: string, description: string): Command =>
    state.command(name).description(description).argument('<dir>', 'the state.dir of the configuration');
  ofFolder('summary', 'Print the newest valid checkpoints of all partitions, merged, as a JSON summary.').action(
    async (dir: string) => {
      const { summariseState } = await import('../app/state.ts');
      context.status = await summariseState({ dir, signal });
    },
  );
  ofFolder('list', 'Print a line of JSON for each checkpoint.').action(async (dir: string) => {
    const { listCheckpoints } = await import('../app/state.ts');
    context.status = await listCheckpoints({ dir, signal });
  });
  ofFolder('drop', 'Delete the checkpoints of a partition, so that it begins anew.')
    .option('--partition <partition>', 'partition, as topic/0 (required)')
    .action(async (dir: string, flags: { readonly partition?: string }) => {
      const complaint = 'state drop: --partition is missing; name one, such as predictions/0';
      const partition = required(flags.partition, complaint);
      const { dropPartition } = await import('../app/state.ts');
      context.status = await dropPartition({ dir, partition, signal });
    });
}

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
      for (const line of refusalsOfRun(effective)) process.stderr.write(`assay run will refuse it: ${line}\n`);
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

/** `assay demo`. */
export function addDemo(program: Command, context: Context): void {
  program
    .command('demo')
    .description('Everything in one process on generated traffic, without Kafka: look at it in a browser.')
    .option('--rate <number>', 'predictions a second', positive, 60)
    .option('--seconds <number>', 'stop by itself after this time', positive)
    .addOption(configOption())
    .action(async (flags: ConfigFlag & { readonly rate: number; readonly seconds?: number }) => {
      const config = effectiveConfig(context, flags.config);
      const { demo } = await import('../app/demo.ts');
      context.status = await demo({ config, rate: flags.rate, seconds: flags.seconds, signal: context.signal });
    });
}

function positive(text: string): number {
  const number = Number(text);
  if (number > 0 && Number.isFinite(number)) return number;
  throw new InvalidArgumentError('Give a number above 0.');
}
