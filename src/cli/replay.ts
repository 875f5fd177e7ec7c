import { type Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../errors.ts';
import { append, type ConfigFlag, type Context, configOption, effectiveConfig, required } from './context.ts';
import { addInputOptions, type InputFlags, inputSettings, setting } from './input.ts';

interface ReplayFlags extends ConfigFlag, InputFlags {
  readonly truth?: readonly string[];
  readonly events?: readonly string[];
  readonly judgements?: readonly string[];
  readonly summary?: string;
  readonly scores?: string;
  readonly snapshots?: string;
  readonly rejects?: string;
  readonly windows?: boolean;
  readonly gate?: readonly string[];
  readonly allowEmpty?: boolean;
  readonly all?: boolean;
  readonly pending?: string;
}

/** `assay replay`. */
export function addReplay(program: Command, context: Context): void {
  const command = program
    .command('replay')
    .description('Score files as the service would, without Kafka.')
    .option('--truth <path...>', 'truth: Arrow or NDJSON files, or folders of them (default: truth.paths)')
    .option(
      '--events <path...>',
      'predictions: files (NDJSON, JSON, CSV, Parquet, Arrow; also gzip, zstd) and folders; - is stdin (required)',
    );
  command.option('--judgements <path...>', 'judgements on the predictions: files and folders, as for --events');
  addInputOptions(command)
    .option('--summary <file>', 'write the summary as JSON; - is stdout, instead of the table')
    .option('--scores <file>', 'write a row for each scored prediction: .ndjson or .arrow', scoresFile)
    .option('--snapshots <dir>', 'write Arrow snapshots into this folder')
    .option('--rejects <file>', 'write refused and expired predictions as NDJSON')
    .option('--pending <file>', 'write the predictions that have no truth as NDJSON events')
    .option('--windows', 'add the windows that end with the last event to the summary')
    .option('--gate <gate>', 'condition that must hold, such as decision.accuracy>=0.9; may be repeated', append)
    .option('--all', 'show every metric of every group in the table')
    .option('--allow-empty', 'events of which none is scored are no failure')
    .addOption(configOption())
    .addHelpText('after', gateHelp)
    .action(async (flags: ReplayFlags) => {
      context.status = await replayWith(flags, context);
    });
}

const gateHelp = `
A gate is [SLICE:]PATH OP NUMBER. PATH is a path of the summary (decision.accuracy, tool_calls.strict.f1; a bare name
means decision), with .lower or .upper for the ends of its interval, .lower_always or .upper_always for those that hold
however often one looks. SLICE is such as model=gpt-4o; OP is >= > <= < ==.
coverage and records.rejected, records.malformed_calls, records.unscored (and others) are counted of all records.
A gate that does not hold gives exit status 3.
`;

async function replayWith(flags: ReplayFlags, context: Context): Promise<number> {
  const events = required(flags.events, 'replay: --events is missing; name files of predictions, or - for stdin');
  const config = effectiveConfig(context, flags.config, [
    ...setting('--truth', ['truth', 'paths'], flags.truth),
    ...setting('--snapshots', ['snapshots', 'dir'], flags.snapshots),
    ...inputSettings(flags),
  ]);
  if (config.truth.paths.length === 0)
    throw new UsageError('replay: there is no truth; give --truth PATH, or truth.paths');
  const { replay } = await import('../commands/replay/replay.ts');
  return await replay({
    config,
    truth: config.truth.paths,
    events,
    judgements: flags.judgements,
    summary: flags.summary,
    scores: flags.scores,
    snapshots: flags.snapshots,
    rejects: flags.rejects,
    pending: flags.pending,
    windows: flags.windows ?? false,
    gates: flags.gate ?? [],
    allowEmpty: flags.allowEmpty ?? false,
    all: flags.all ?? false,
    signal: context.signal,
  });
}

function scoresFile(file: string): string {
  if (/\.(ndjson|arrow)$/.test(file)) return file;
  throw new InvalidArgumentError('The name says the form: it ends in .ndjson or .arrow.');
}
