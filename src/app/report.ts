import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeOutput } from '../adapters/files/output.ts';
import { aggregateGroups } from '../formats/snapshot/aggregate-groups.ts';
import { type ReportAbout, type ReportInput, reportDocument } from '../formats/summary/report-document.ts';
import type { PlainGroup } from '../formats/summary/summary-document.ts';
import { isObject } from '../scoring/json.ts';
import { UsageError } from '../errors.ts';
import { headlinePaths, parseComparand } from '../view/compare.ts';
import { isComparable } from './comparands.ts';
import { comparisonOfFiles } from './compare.ts';
import { pageWith } from './report-page.ts';

export interface ReportOptions {
  /** Summary files, aggregate snapshots, and folders of such. */
  readonly inputs: readonly string[];
  /** `-` is standard output. */
  readonly output: string;
  readonly signal: AbortSignal;
}

/** `assay report`: one HTML file with everything in it. Two summaries are compared, several inputs give a history. Resolves with the exit status. */
export async function report({ inputs, output, signal }: ReportOptions): Promise<number> {
  if (inputs.length === 2 && (await areCompared(inputs))) {
    const comparison = await comparisonOfFiles(inputs, headlinePaths, new Set(), signal);
    await writeOutput(output, await pageWith(comparison));
    return 0;
  }
  const files = (await Promise.all(inputs.map(filesOf))).flat();
  const read: ReportInput[] = [];
  for (const file of files) {
    signal.throwIfAborted();
    read.push(await readInput(file));
  }
  await writeOutput(output, await pageWith(reportDocument(inOrder(read), Date.now())));
  return 0;
}

/** Two summaries, or score files, are compared: a line through two points says nothing. */
async function areCompared(inputs: readonly string[]): Promise<boolean> {
  const files = inputs.map((input) => parseComparand(input).file);
  const status = await Promise.all(files.map((file) => stat(file).catch(() => undefined)));
  if (!status.every((one) => one?.isFile())) return false;
  const comparable = await Promise.all(files.map(isComparable));
  return comparable.every((one) => one);
}

/** Points of a history: a chart is not wider. */
const pointsMax = 200;

/** A file is itself; of a folder the aggregate snapshots, evenly thinned out, the last among them. */
async function filesOf(path: string): Promise<string[]> {
  const status = await stat(path).catch((error: Error) => {
    throw new UsageError(`report: ${path} cannot be read: ${error.message}`);
  });
  if (!status.isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => /^aggregates-.*\.arrow$/.test(name)).sort();
  if (names.length === 0)
    throw new UsageError(`report: ${path} holds no aggregates-*.arrow; name a folder of snapshots`);
  const step = Math.max(1, (names.length - 1) / (pointsMax - 1));
  const places = Array.from({ length: Math.min(names.length, pointsMax) }, (_, at) => Math.round(at * step));
  return places.map((place) => join(path, names[place]!));
}

async function readInput(file: string): Promise<ReportInput> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new UsageError(`report: ${file} cannot be read: ${error.message}`);
  });
  const isArrow = bytes.subarray(0, 6).toString('latin1') === 'ARROW1';
  const input = isArrow ? snapshotInput(bytes) : summaryInput(bytes);
  if (input !== undefined) return input;
  throw new UsageError(
    `report: ${file} is neither a summary (format assay.summary/1; assay replay --summary FILE makes one) nor an aggregate snapshot`,
  );
}

function snapshotInput(bytes: Uint8Array): ReportInput | undefined {
  const snapshot = aggregateGroups(bytes);
  if (snapshot === undefined) return undefined;
  return {
    asOfMs: Number.isNaN(snapshot.asOfMs) ? undefined : snapshot.asOfMs,
    groups: snapshot.groups,
    about: undefined,
  };
}

interface Summary extends ReportAbout {
  readonly format: unknown;
  readonly as_of: string | null;
  readonly groups: readonly PlainGroup[];
}

function summaryInput(bytes: Buffer): ReportInput | undefined {
  const summary = parsed(bytes.toString('utf8'));
  if (summary?.format !== 'assay.summary/1' || !Array.isArray(summary.groups) || !summary.groups.every(isGroup))
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
