import { type Command, InvalidArgumentError } from 'commander';
import {
  append,
  configFlag,
  type Context,
  effectiveConfig,
  type EventFlags,
  eventsOf,
  inputConfig,
  type InputFlags,
  numberFlag,
  required,
  truthFieldFlag,
  truthFieldSettings,
  whole,
  withEvents,
  withInput,
} from './flags.ts';

interface RecordFlags extends InputFlags {
  readonly id?: string;
  readonly truthField?: readonly string[];
}

interface BuildFlags extends RecordFlags {
  readonly output?: string;
  readonly from?: string;
  readonly skipInvalid?: boolean;
  readonly model?: readonly string[];
  readonly run?: number;
  readonly agree?: number;
}

interface SuspectsFlags extends EventFlags {
  readonly models: number;
  readonly judgements?: readonly string[];
}

/** `assay truth build|check|inspect|suspects`. */
export function addTruth(program: Command, context: Context): void {
  const truth = program.command('truth').description('Make, check and look at truth tables.');
  addBuild(truth, context);
  addCheck(truth, context);
  addInspect(truth, context);
  addSuspects(truth, context);
}

const inputsArgument = [
  '<in...>',
  'files (NDJSON, JSON, CSV, Parquet, Arrow; also gzip, zstd) and folders; - is stdin',
] as const;
const idFlag = ['--id <place>', 'where the id of the example lies: truth.fields.example_id', place] as const;

function addBuild(truth: Command, context: Context): void {
  const command = truth
    .command('build')
    .description('Make one truth table of truth records, of a benchmark, of a platform, or of events.')
    .argument(...inputsArgument)
    .option('-o, --output <file>', 'table to write: .ndjson, .parquet, else Arrow (required)')
    .option('--from <source>', sources)
    .option(...idFlag)
    .option(...truthFieldFlag, append)
    .option('--model <name>', 'of events: those of this model become truth; may be repeated', append)
    .option('--run <index>', 'of events: those of this run become truth', index)
    .option('--agree <number>', 'of events: an answer that so many models or runs agree on becomes truth', whole)
    .option('--skip-invalid', 'count invalid and repeated records instead of refusing them');
  withInput(command)
    .option(...configFlag)
    .action(async (inputs: readonly string[], flags: BuildFlags) => {
      const output = required(flags.output, 'truth build: --output is missing; name the table to write');
      const { skipInvalid = false, from, model, run, agree } = flags;
      const choice = { ...(model && { model }), ...(run !== undefined && { run }), ...(agree && { agree }) };
      const config = recordConfig(flags, context);
      const { buildTruth } = await import('../commands/truth/build-truth.ts');
      context.status = await buildTruth({ inputs, output, from, skipInvalid, choice, config, signal: context.signal });
    });
}

const sources =
  'the inputs are of a benchmark (when2call, bfcl, tau, mcpeval, deepfabric, openai-eval, promptfoo, agentevals, adk), of a platform (langfuse, langsmith, mlflow, phoenix, opik, deepeval), csv, or events';

function addCheck(truth: Command, context: Context): void {
  truth
    .command('check')
    .description('What contradicts itself in files of truth: a line of JSON each, a table on a terminal.')
    .argument(...inputsArgument)
    .option('--strict', 'end with status 3 where the truth contradicts itself')
    .option(...idFlag)
    .option(...truthFieldFlag, append)
    .option(...configFlag)
    .action(async (inputs: readonly string[], flags: RecordFlags & { readonly strict?: boolean }) => {
      const config = recordConfig(flags, context);
      const { checkTruth } = await import('../commands/truth/check-truth.ts');
      context.status = await checkTruth({ inputs, config, strict: flags.strict ?? false, signal: context.signal });
    });
}

function addInspect(truth: Command, context: Context): void {
  truth
    .command('inspect')
    .description('Print what a truth table holds, or what is wrong with it.')
    .argument('<table>', 'truth table, or a file of truth records')
    .option(...truthFieldFlag, append)
    .option(...configFlag)
    .action(async (path: string, flags: Pick<RecordFlags, 'config' | 'truthField'>) => {
      const { limits, truth: given } = effectiveConfig(context, flags.config, truthFieldSettings(flags));
      const { inspectTruth } = await import('../commands/truth/inspect-truth.ts');
      context.status = await inspectTruth({ path, limits, fields: given.fields, signal: context.signal });
    });
}

function addSuspects(truth: Command, context: Context): void {
  const suspects = truth
    .command('suspects')
    .description(
      'Examples of which several models, or a judge, contradict the truth, and events on which feedback does not agree; a line of JSON each.',
    )
    .option('--models <number>', 'models that must agree', whole, 2)
    .option('--judgements <path...>', 'judgements on the predictions: answers that a judge passes are suspects, too')
    .option(
      '--feedback <path...>',
      'feedback on single events: those for which it expects different things are listed, too',
    );
  withEvents(suspects).action(async (flags: SuspectsFlags) => {
    const { models, judgements } = flags;
    const { truthSuspects } = await import('../commands/truth/truth-suspects.ts');
    context.status = await truthSuspects({
      models,
      judgements,
      ...eventsOf('truth suspects', flags, context),
    });
  });
}

/** The effective configuration, with the places of fields that flags name. */
function recordConfig({ id, truthField = [], ...flags }: RecordFlags, context: Context) {
  const fields = id === undefined ? truthField : [`example_id=${id}`, ...truthField];
  return inputConfig(flags, context, truthFieldSettings({ truthField: fields }));
}

function place(text: string): string {
  if (/^[/=]/.test(text)) return text;
  throw new InvalidArgumentError('Give a place such as /metadata/case.');
}

const index = numberFlag('whole number from 0', (number) => Number.isInteger(number) && number >= 0);
