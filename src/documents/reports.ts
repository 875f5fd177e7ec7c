import { appendFile } from 'node:fs/promises';
import { checkOutput, writeOutput } from '../adapters/files/output.ts';
import { UsageError } from '../errors.ts';
import { junitText, type TestSuite } from './junit.ts';

/** Reports that a command writes for programs of continuous integration. */
export interface Reports {
  /** Files of JUnit's form. */
  readonly junit: readonly string[];
  /** File that GitHub shows as the summary of a step; undefined where no report for it was asked for. */
  readonly github: string | undefined;
}

/** The flag as it was given, and the variable of the environment that GitHub sets. */
export interface ReportFlags {
  readonly report?: readonly string[];
  readonly stepSummary?: string | undefined;
}

/** Reads the values of `--report`. Rejects where one means nothing, or could not be written. */
export async function openReports({ report = [], stepSummary }: ReportFlags): Promise<Reports> {
  const junit = report.filter((text) => /^junit=./.test(text)).map((text) => text.slice('junit='.length));
  const other = report.find((text) => text !== 'github' && !/^junit=./.test(text));
  if (other !== undefined) throw new UsageError(`--report ${other} is neither junit=FILE nor github`);
  const isForGithub = report.includes('github');
  if (isForGithub && !stepSummary)
    throw new UsageError('--report github: GITHUB_STEP_SUMMARY is not set; GitHub sets it in a step of a workflow');
  for (const file of junit) await checkOutput(file);
  return { junit, github: isForGithub ? stepSummary : undefined };
}

/** Writes the test suites to the files of JUnit's form. */
export async function writeJunit({ junit }: Reports, suites: () => readonly TestSuite[]): Promise<void> {
  if (junit.length === 0) return;
  const text = junitText(suites());
  for (const file of junit) await writeOutput(file, text);
}

/** Adds Markdown to the summary of a step on GitHub; what other commands of the step wrote stays. */
export async function addToStepSummary(file: string, markdown: string): Promise<void> {
  await appendFile(file, `${markdown}\n\n`);
}
