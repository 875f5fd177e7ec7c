import { type Command, InvalidArgumentError } from 'commander';
import type { Setting } from '../config/layer.ts';
import { UsageError } from '../errors.ts';
import { type ConfigFlag, type Context, configOption, effectiveConfig, required } from './context.ts';

interface ReplayFlags extends ConfigFlag {
  readonly truth?: readonly string[];
  readonly events?: readonly string[];
  readonly summary?: string;
  readonly scores?: string;
  readonly snapshots?: string;
  readonly rejects?: string;
  readonly windows?: boolean;
  readonly gate?: readonly string[];
  readonly format?: string;
  readonly field?: readonly string[];
  readonly response?: string;
  readonly request?: string;
}

/** `assay replay`. */
export function addReplay(program: Command, context: Context): void {
  program
    .command('replay')
    .description('Score NDJSON files as the service would, without Kafka.')
    .option('--truth <path...>', 'truth: Arrow or NDJSON files, or folders of Arrow files (default: truth.paths)')
    .option('--events <path...>', 'predictions: NDJSON files, read one after the other; - is stdin (required)')
    .option('--format <format>', 'form of the events: input.format (default: auto)')
    .option('--field <name=place>', 'where a field lies: input.fields.NAME; again for another place', append)
    .option('--response <pointer>', "where the provider's answer lies: input.response")
    .option('--request <pointer>', 'where the request lies: input.request')
    .option('--summary <file>', 'write the summary as JSON; - is stdout. Without it a table is printed')
    .option('--scores <file>', 'write a row for each scored prediction: .ndjson or .arrow', scoresFile)
    .option('--snapshots <dir>', 'write Arrow snapshots into this folder')
    .option('--rejects <file>', 'write refused and expired predictions as NDJSON')
    .option('--windows', 'add the windows that end with the last event to the summary')
    .option('--gate <gate>', 'condition that must hold, such as decision.accuracy>=0.9; may be repeated', append)
    .addOption(configOption())
    .addHelpText('after', gateHelp)
    .action(async (flags: ReplayFlags) => {
      context.status = await replayWith(flags, context);
    });
}

const gateHelp = `
A gate is [SLICE:]PATH OP NUMBER. PATH is a path of the summary (decision.accuracy, tool_calls.strict.f1; a bare name
means decision), with .lower or .upper for the ends of its interval. SLICE is such as model=gpt-4o; OP is >= > <= < ==.
A gate that does not hold gives exit status 3.
`;

async function replayWith(flags: ReplayFlags, context: Context): Promise<number> {
  const events = required(flags.events, 'replay: --events is missing; name files of predictions, or - for stdin');
  const config = effectiveConfig(context, flags.config, [
    ...setting('--truth', ['truth', 'paths'], flags.truth),
    ...setting('--snapshots', ['snapshots', 'dir'], flags.snapshots),
    ...setting('--format', ['input', 'format'], flags.format),
    ...setting('--response', ['input', 'response'], flags.response),
    ...setting('--request', ['input', 'request'], flags.request),
    ...fieldSettings(flags.field ?? []),
  ]);
  if (config.truth.paths.length === 0)
    throw new UsageError('replay: there is no truth; give --truth PATH, or truth.paths');
  const { replay } = await import('../app/replay.ts');
  return await replay({
    config,
    truth: config.truth.paths,
    events,
    summary: flags.summary,
    scores: flags.scores,
    snapshots: flags.snapshots,
    rejects: flags.rejects,
    windows: flags.windows ?? false,
    gates: flags.gate ?? [],
    signal: context.signal,
  });
}

function setting(flag: string, path: readonly string[], value: unknown): readonly Setting[] {
  return value === undefined ? [] : [{ path, value, place: flag }];
}

/** `--field example_id=/id`; of several places for one field, the first present counts. */
function fieldSettings(given: readonly string[]): readonly Setting[] {
  const places = new Map<string, string[]>();
  for (const text of given) {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError(`replay: --field ${text} is not NAME=PLACE; write it as example_id=/metadata/id`);
    const name = text.slice(0, at);
    places.set(name, [...(places.get(name) ?? []), text.slice(at + 1)]);
  }
  return [...places].flatMap(([name, list]) => setting('--field', ['input', 'fields', name], list));
}

function scoresFile(file: string): string {
  if (/\.(ndjson|arrow)$/.test(file)) return file;
  throw new InvalidArgumentError('The name says the form: it ends in .ndjson or .arrow.');
}

function append(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
