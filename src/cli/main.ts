import { Command, CommanderError } from 'commander';
import { version } from '../documents/context.ts';
import { isBrokenPipe, UsageError } from '../errors.ts';
import { addCompare, addConfig, addDemo, addReport, addRun, addState, addView } from './commands.ts';
import type { Context } from './flags.ts';
import { addConvert, addInit } from './files.ts';
import { addExplain, addJudge } from './judge.ts';
import { addMcp } from './mcp.ts';
import { addReplay } from './replay.ts';
import { addTruth } from './truth.ts';
import { addWatch } from './watch.ts';
import { programName } from '../name.ts';

/**
 * Runs a command line, without the program's own name; resolves with the exit status (docs/reference/command-line.md). A command
 * loads what it needs when it runs: `--help` and `config` need neither Arrow nor Kafka.
 */
export async function main(args: readonly string[], signal: AbortSignal): Promise<number> {
  process.stdout.on('error', endUnlessClosed);
  process.stderr.on('error', () => undefined);
  const context: Context = { environment: process.env, signal, status: 0 };
  const program = commandLine(context);
  try {
    await program.parseAsync(args, { from: 'user' });
    return context.status;
  } catch (error) {
    if (error instanceof CommanderError) tellRemedy(program, args[0], error.code);
    return report(error, signal);
  }
}

function commandLine(context: Context): Command {
  const program = new Command(programName)
    .description("Scores AI agents' tool-calling decisions against ground truth while they happen.")
    .version(version)
    .exitOverride()
    .addHelpText('after', exitStatuses);
  // In the order of the help.
  const commands = [
    addInit,
    addRun,
    addReplay,
    addExplain,
    addJudge,
    addConvert,
    addTruth,
    addState,
    addView,
    addReport,
    addCompare,
    addMcp,
    addWatch,
    addConfig,
    addDemo,
  ];
  for (const add of commands) add(program, context);
  return program;
}

const exitStatuses = `
Exit status:
  0  done
  1  failed while running
  2  wrong usage or configuration
  3  a gate does not hold, a candidate is worse, or truth contradicts itself
`;

/** Tells of a command that stands below another: `assay inspect` is meant as `assay truth inspect`; and of options where a name stands alone. */
function tellRemedy(program: Command, typed: string | undefined, code: string): void {
  if (code === 'commander.excessArguments')
    process.stderr.write(`(Files are named by options: assay ${typed} --help lists them)\n`);
  if (code !== 'commander.unknownCommand') return;
  const above = program.commands.find(({ commands }) => commands.some((command) => command.name() === typed));
  if (above !== undefined) process.stderr.write(`(Did you mean ${above.name()} ${typed}?)\n`);
}

/** Says what went wrong; returns the exit status. */
function report(error: unknown, signal: AbortSignal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
  process.stderr.write(`${programName}: ${signal.aborted ? (signal.reason as Error).message : failureText(error)}\n`);
  return 1;
}

/** A failure of the world shows its message; a bug shows its place. */
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const bug = [TypeError, RangeError, ReferenceError].some((kind) => error instanceof kind);
  return bug ? (error.stack ?? error.message) : error.message;
}

/** A reader that closes the stream early, such as `head`, is not an error. */
function endUnlessClosed(error: Error): void {
  if (isBrokenPipe(error)) return;
  process.stderr.write(`${programName}: cannot write standard output: ${error.message}\n`);
  process.exit(1);
}
