import type { Command } from 'commander';
import type { ReplayFlags } from '../commands/replay/replay.ts';
import {
  append,
  type Context,
  eventArguments,
  type EventFlags,
  eventsOf,
  configFlag,
  feedbackFlag,
  fileFlag,
  reportFlag,
  setting,
  stepSummary,
  truthFieldFlag,
  truthFlag,
  withInput,
} from './flags.ts';

/** `assay replay`. */
export function addReplay(program: Command, context: Context): void {
  const command = program
    .command('replay')
    .description('Score files as the service would, without Kafka.')
    .option(...truthFlag)
    .option(...truthFieldFlag, append)
    .option(
      '--events <path...>',
      'predictions: files (NDJSON, JSON, CSV, Parquet, Arrow; also gzip, zstd) and folders; - is stdin (required)',
    )
    .option('--judgements <path...>', 'judgements on the predictions: files and folders, as for --events')
    .option(...feedbackFlag);
  withInput(command)
    .option('--summary <file>', 'write the summary as JSON; - is stdout, instead of the table')
    .option('--scores <file>', 'write a row for each scored prediction: .ndjson or .arrow', scoresFile)
    .option('--snapshots <dir>', 'write Arrow snapshots into this folder')
    .option('--rejects <file>', 'write refused and expired predictions as NDJSON')
    .option('--pending <file>', 'write the predictions that have no truth as NDJSON events')
    .option('--windows', 'add the windows that end with the last event to the summary')
    .option('--gate <gate>', 'condition that must hold, such as decision.accuracy>=0.9; may be repeated', append)
    .option(...reportFlag, append)
    .option('--all', 'show every metric of every group in the table')
    .option('--allow-empty', 'succeed where no event was scored')
    .option('--allow-unread', 'gates may hold although calls were not read, or feedback does not count')
    .option(...configFlag)
    .addHelpText('after', gateHelp)
    .action(async (flags: EventFlags & ReplayFlags) => {
      const settings = setting('--snapshots', ['snapshots', 'dir'], flags.snapshots);
      const files = eventsOf('replay', flags, context, { settings, needsTruth: false });
      const { replay } = await import('../commands/replay/replay.ts');
      context.status = await replay({ ...flags, ...files, fileFlags: eventArguments(flags), ...stepSummary(context) });
    });
}

const scoresFile = fileFlag('.ndjson or .arrow', /\.(ndjson|arrow)$/);

const gateHelp = `
A gate is [SLICE:]PATH OP NUMBER. PATH is a path of the summary (decision.accuracy, tool_calls.strict.f1; a bare name
means decision), with .lower or .upper for the ends of its interval, .lower_always or .upper_always for those that hold
however often one looks. SLICE is such as model=gpt-4o; OP is >= > <= < ==.
coverage and records.rejected, records.malformed_calls, records.unscored (and others) are counted of all records.
A gate that does not hold gives exit status 3; so does one on a metric or on coverage where more than 1 % of the records
hold calls that nothing read (records.unread_calls), or more than 1 % of the records of --feedback are refused or about
no event, unless --allow-unread is given.
`;
