import type { Command } from 'commander';
import { refusalsOfRun, refusalsOfView } from '../config/checks.ts';
import { configYaml } from '../config/config-yaml.ts';
import { configJsonSchema } from '../config/json-schema.ts';
import type { DemoOptions } from '../commands/demo/demo.ts';
import {
  append,
  type ConfigFlag,
  configFlag,
  type Context,
  duration,
  effectiveConfig,
  fileFlag,
  numberFlag,
  positive,
  reportFlag,
  required,
  stepSummary,
  time,
  usableConfig,
  whole,
} from './flags.ts';

/*
 * The commands without many flags, as in docs/reference/command-line.md.
 */

/** `assay run`. */
export function addRun(program: Command, context: Context): void {
  program
    .command('run')
    .description('The service: Kafka, or HTTP, in; Prometheus, Arrow snapshots and dead letters out.')
    .option(...configFlag)
    .option('--until-end', 'stop at the ends that the topics have now (backfill, CI)')
    .option('--rebuild', 'forget the checkpoints of the group and score its topics again from their beginning')
    .action(async (flags: ConfigFlag & { readonly untilEnd?: boolean; readonly rebuild?: boolean }) => {
      const config = usableConfig(context, flags.config, refusalsOfRun);
      const { untilEnd = false, rebuild = false } = flags;
      const { run } = await import('../commands/run/run.ts');
      context.status = await run({ config, untilEnd, rebuild, signal: context.signal });
    });
}

/** `assay view`. */
export function addView(program: Command, context: Context): void {
  program
    .command('view')
    .description(
      'One web page over all partitions of a group, from their newest checkpoints: reads only, joins no group.',
    )
    .option(...configFlag)
    .action(async (flags: ConfigFlag) => {
      const config = usableConfig(context, flags.config, refusalsOfView);
      const { viewGroup } = await import('../commands/view/view-group.ts');
      context.status = await viewGroup({ config, signal: context.signal });
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
      const { summariseState } = await import('../commands/state/state.ts');
      context.status = await summariseState({ dir, signal });
    },
  );
  ofFolder('list', 'Print a line of JSON for each checkpoint.').action(async (dir: string) => {
    const { listCheckpoints } = await import('../commands/state/state.ts');
    context.status = await listCheckpoints({ dir, signal });
  });
  ofFolder('drop', 'Delete the checkpoints of a partition, so that it begins anew.')
    .option('--partition <partition>', 'partition, as topic/0 (required)')
    .action(async (dir: string, flags: { readonly partition?: string }) => {
      const complaint = 'state drop: --partition is missing; name one, such as predictions/0';
      const partition = required(flags.partition, complaint);
      const { dropPartition } = await import('../commands/state/state.ts');
      context.status = await dropPartition({ dir, partition, signal });
    });
}

/** `assay report`. */
export function addReport(program: Command, context: Context): void {
  program
    .command('report')
    .description('Make one HTML file of a summary, or of several and of folders of snapshots: then with their history.')
    .argument('<input...>', 'summary files, aggregate snapshots, folders of snapshots, s3://bucket/prefix')
    .option('-o, --output <file>', 'HTML file to write; - is stdout (required)')
    .action(async (inputs: readonly string[], flags: { readonly output?: string }) => {
      const output = required(flags.output, 'report: --output is missing; name the HTML file to write');
      effectiveConfig(context, undefined);
      const { report } = await import('../commands/report/report.ts');
      context.status = await report({ inputs, output, signal: context.signal });
    });
}

interface CompareFlags {
  readonly report?: readonly string[];
  readonly metric?: readonly string[];
  readonly failOn?: readonly string[];
  readonly output?: string;
}

/** `assay compare`. */
export function addCompare(program: Command, context: Context): void {
  program
    .command('compare')
    .description('Is a candidate good enough to replace a reference? A table of the headline metrics.')
    .argument('<a>', 'reference: a summary, or a file of scores (.ndjson, .arrow); FILE#model=x is one group')
    .argument('<b...>', 'candidates, the same')
    .option('--metric <path>', 'print a line of JSON for this metric instead; may be repeated', append)
    .option('--fail-on <condition>', 'worse, or worse:METRIC: ends with status 3; may be repeated', append)
    .option(...reportFlag, append)
    .option('-o, --output <file>', 'write everything to a .json or .html file; - is JSON on stdout', comparisonFile)
    .action(async (a: string, candidates: readonly string[], flags: CompareFlags) => {
      const { metric: metrics = [], failOn = [], ...rest } = flags;
      effectiveConfig(context, undefined);
      const { compare } = await import('../commands/compare/compare.ts');
      const { signal } = context;
      const files = [a, ...candidates];
      context.status = await compare({ ...rest, files, metrics, failOn, signal, ...stepSummary(context) });
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
    .option(...configFlag)
    .action(async (flags: ConfigFlag) => {
      const effective = effectiveConfig(context, flags.config);
      process.stderr.write('the configuration is valid\n');
      for (const line of refusalsOfRun(effective)) process.stderr.write(`assay run will refuse it: ${line}\n`);
      const { truthWarnings } = await import('../commands/config/truth-warnings.ts');
      for (const line of await truthWarnings(effective)) process.stderr.write(`warning: truth.paths: ${line}\n`);
      const { topicNotes } = await import('../commands/config/topic-notes.ts');
      for (const line of await topicNotes(effective)) process.stderr.write(`${line}\n`);
      const { memoryEstimate, memoryTable } = await import('../commands/config/memory.ts');
      process.stdout.write(`${memoryTable(memoryEstimate(effective))}\n`);
    });
  config
    .command('print')
    .description('Print the effective configuration as YAML, with secrets masked.')
    .option(...configFlag)
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

interface DemoFlags extends ConfigFlag, Pick<DemoOptions, 'rate' | 'models' | 'speed' | 'seconds' | 'port'> {
  readonly past: number;
  readonly spike: number;
  readonly spikeAt?: number;
}

/** `assay demo`. */
export function addDemo(program: Command, context: Context): void {
  program
    .command('demo')
    .description('Everything in one process on generated traffic, without Kafka: look at it in a browser.')
    .option('--rate <number>', 'predictions a second', positive, 60)
    .option('--models <number>', 'models that predict', whole, 3)
    .addOption(duration('--past <duration>', 'traffic from before, which watches learn from', '90m'))
    .option('--speed <number>', 'how fast the past passes (default: as fast as it can be scored)', positive)
    .addOption(duration('--spike <duration>', 'how long a model goes wrong', '2m'))
    .option('--spike-at <duration>', 'when it does, from the beginning of the past (default: a minute from now)', time)
    .option('--seconds <number>', 'stop by itself after this time', positive)
    .option('--port <number>', 'port of the web page (default: http.port, or the next one that is free)', port)
    .option(...configFlag)
    .action(async (flags: DemoFlags) => {
      const config = effectiveConfig(context, flags.config);
      const { demo } = await import('../commands/demo/demo.ts');
      const { run } = await import('../commands/run/run.ts');
      const { past: pastMs, spike: spikeMs, spikeAt: spikeAtMs, ...rest } = flags;
      context.status = await demo({ ...rest, config, run, pastMs, spikeMs, spikeAtMs, signal: context.signal });
    });
}

const comparisonFile = fileFlag('.json or .html', /(^-|\.(json|html))$/);
const port = numberFlag(
  'number from 0 (any that is free) to 65535',
  (number) => Number.isInteger(number) && number >= 0 && number <= 65_535,
);
