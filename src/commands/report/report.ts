import { stat } from 'node:fs/promises';
import { wholeFile } from '../../adapters/files/byte-chunks.ts';
import { writeOutput } from '../../adapters/files/output.ts';
import { isBucket } from '../../adapters/object-store/object-store.ts';
import { openAggregates } from '../../formats/snapshot/aggregate-groups.ts';
import { type ReportAbout, type ReportInput, reportDocument } from '../../formats/summary/report-document.ts';
import type { PlainGroup } from '../../formats/summary/summary-document.ts';
import { programName } from '../../name.ts';
import { isObject } from '../../scoring/json.ts';
import { UsageError } from '../../errors.ts';
import { headlinePaths, parseComparand } from '../../view/compare.ts';
import { documentBytesMax, isComparable } from '../../documents/comparands.ts';
import { comparisonOfFiles } from '../../documents/comparison.ts';
import { pageWith } from '../../documents/report-page.ts';
import { type SnapshotFile, snapshotHistory, snapshotName, snapshotsIn } from './snapshot-history.ts';

export interface ReportOptions {
  /** Summary files, aggregate snapshots, folders and buckets of such. */
  readonly inputs: readonly string[];
  /** `-` is standard output. */
  readonly output: string;
  readonly signal: AbortSignal;
}

/** `assay report`: one HTML file with everything in it. Two summaries are compared, several inputs give a history. Resolves with the exit status. */
export async function report({ inputs, output, signal }: ReportOptions): Promise<number> {
  if (inputs.length === 2 && (await areCompared(inputs, signal))) {
    const comparison = await comparisonOfFiles(inputs, headlinePaths, new Set(), signal);
    await writeOutput(output, await pageWith(comparison));
    return 0;
  }
  const read: ReportInput[] = [];
  const snapshots: SnapshotFile[] = [];
  for (const input of inputs) {
    signal.throwIfAborted();
    if (await isFolder(input)) snapshots.push(...(await snapshotsIn(input)));
    else {
      const found = await readFileOf(input, signal);
      if ('read' in found) snapshots.push(found);
      else read.push(found);
    }
  }
  read.push(...(await snapshotHistory(snapshots, signal)));
  await writeOutput(output, await pageWith(reportDocument(inOrder(read), Date.now())));
  return 0;
}

/** Two summaries, or score files, are compared: a line through two points says nothing. */
async function areCompared(inputs: readonly string[], signal: AbortSignal): Promise<boolean> {
  const files = inputs.map((input) => parseComparand(input).file);
  const status = await Promise.all(files.map((file) => stat(file).catch(() => undefined)));
  if (!status.every((one) => one?.isFile())) return false;
  const comparable = await Promise.all(files.map((file) => isComparable(file, signal)));
  return comparable.every((one) => one);
}

async function isFolder(input: string): Promise<boolean> {
  if (isBucket(input)) return true;
  const status = await stat(input).catch((error: Error) => {
    throw new UsageError(`report: ${input} cannot be read: ${error.message}`);
  });
  return status.isDirectory();
}

/** A summary, or a snapshot. */
async function readFileOf(path: string, signal: AbortSignal): Promise<ReportInput | SnapshotFile> {
  const bytes = await wholeFile(path, documentBytesMax, signal).catch((error: Error) => {
    signal.throwIfAborted();
    throw new UsageError(`report: ${error.message}`);
  });
  const opened = openAggregates(bytes);
  if (opened !== undefined) return { path, ...(await snapshotName(path, opened)), read: async () => bytes };
  const input = summaryInput(bytes);
  if (input !== undefined) return input;
  throw new UsageError(
    `report: ${path} is neither a summary (format ${programName}.summary/1; assay replay --summary FILE makes one) nor an aggregate snapshot`,
  );
}

interface Summary extends ReportAbout {
  readonly format: unknown;
  readonly as_of: string | null;
  readonly groups: readonly PlainGroup[];
}

function summaryInput(bytes: Buffer): ReportInput | undefined {
  const summary = parsed(bytes.toString('utf8'));
  if (
    summary?.format !== `${programName}.summary/1` ||
    !Array.isArray(summary.groups) ||
    !summary.groups.every(isGroup)
  )
    return undefined;
  const asOfMs = summary.as_of === null ? undefined : Date.parse(summary.as_of);
  return { asOfMs, groups: summary.groups, about: summary };
}

function isGroup(group: unknown): boolean {
  return isObject(group) && isObject(group['slice']) && typeof group['window'] === 'string';
}

function parsed(text: string): (Partial<Summary> & Pick<Summary, 'as_of'> & ReportAbout) | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** By time; of several of one time the last given. */
function inOrder(inputs: readonly ReportInput[]): readonly ReportInput[] {
  const byTime = new Map(inputs.map((input) => [input.asOfMs ?? Number.NEGATIVE_INFINITY, input]));
  return [...byTime].sort(([a], [b]) => a - b).map(([, input]) => input);
}
