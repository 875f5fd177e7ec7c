import { headlinesOf } from '../scoring/families.ts';
import type { SummaryDocument } from '../formats/summary/summary-document.ts';
import { columns, cut, printable } from './terminal-text.ts';
import { textTable } from './text-table.ts';

type Group = SummaryDocument['groups'][number];

export interface TableOptions {
  /** Every metric of every group, in as many tables as they take; else the metrics of the total, and few of each group. */
  readonly all: boolean;
  /** Width of a line; a pipe has none, and names are whole in it. */
  readonly width: number;
  /** No truth was given: the table says what it would add. */
  readonly withoutTruth?: boolean;
}

/**
 * A summary as tables for people: what the numbers rest on, the metrics of the total with their counts, and a line a group with the metrics
 * that 80 columns have room for. Names are those that gates take.
 */
export function summaryTable(document: SummaryDocument, { all, width, withoutTruth = false }: TableOptions): string {
  const inAll = document.groups.filter(({ window }) => window === 'all');
  const used = metrics.filter(({ path }) => inAll.some((group) => cellOf(at(group, path)) !== none));
  const { shown, left } = all ? { shown: inAll, left: 0 } : greatest(inAll);
  const tables = tablesOf(shown, used, width === Number.POSITIVE_INFINITY ? width : nameMax);
  const more = left > 0 ? [`… and ${left} more groups (--all)`] : [];
  const ofGroups = all ? tables : tables.slice(0, inAll.length > 1 ? 1 : 0);
  const basis = withoutTruth ? basisWithoutTruth(document) : basisLine(document);
  const ends = withoutTruth ? [namesNoTools(inAll[0]) ? toolsWouldAdd : [], truthWouldAdd] : [];
  const parts = [[basis], all ? [] : listOf(inAll[0]), ...ofGroups, more, ...ends];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

interface Metric {
  /** As gates name it: a bare name is of `decision`. */
  readonly id: string;
  readonly path: string;
  /** The whole path, with the meaning where the family does not say it. */
  readonly label: string;
}

const metrics: readonly Metric[] = headlinesOf().map(({ path, column }) => {
  const id = path.replace(/^decision\./, '');
  return { id, path, label: id === path ? `${column} (${path})` : path };
});
const none = '–';
const nameMax = 30;
const groupsMax = 20;

/** Headline metrics of the total that have a value: label, value with its interval, counts. */
export function headlineRows({ groups }: SummaryDocument): readonly (readonly string[])[] {
  return rowsOf(groups.find(({ window }) => window === 'all')).filter(([, cell]) => cell !== none);
}

/** The basis of the numbers: events scored of those read, and the fate of the others. */
export function basisLine({ records, coverage }: SummaryDocument): string {
  const { read: _read, scored: _scored, rejected, unscored: _unscored, ...others } = records;
  const rest = Object.entries(others).filter(([, count]) => count > 0);
  const refused = Object.entries(rejected).map(([code, count]) => [`rejected.${code}`, count] as const);
  const counts = [...rest, ...refused].map(([name, count]) => `${name} ${count}`);
  const share = coverage.value === null || coverage.value === 1 ? '' : `, coverage ${cellOf(coverage)}`;
  return [`${coverage.numerator} of ${coverage.denominator} events scored${share}`, ...inLines(counts)].join('\n');
}

/** The events that were counted without truth, and the fate of the others. */
function basisWithoutTruth({ records }: SummaryDocument): string {
  const { expired: counted, duplicates, rejected } = records;
  const refused = Object.entries(rejected).map(([code, count]) => `rejected.${code} ${count}`);
  const others = [...(duplicates > 0 ? [`duplicates ${duplicates}`] : []), ...refused];
  return [`${counted} events, counted without truth`, ...inLines(others)].join('\n');
}

/** Returns whether there are calls, and none of which it is known whether its tool exists. */
function namesNoTools(total: Group | undefined): boolean {
  const denominatorOf = (path: string): number => Number((at(total, path) as Reading | undefined)?.denominator ?? 0);
  return denominatorOf('tool_use.malformed') > 0 && denominatorOf('tool_use.unknown_tool') === 0;
}

/** For a person whose events do not say which tools there are. */
const toolsWouldAdd: readonly string[] = [
  'No event names its tools, so no call can be called invented: log the tools of the',
  'request as tools beside the answer, or configure tools: {known: [get_weather]}.',
];

/** For a person who has no truth yet. */
const truthWouldAdd: readonly string[] = [
  'Truth would add whether decisions and calls are the right ones: match.correct,',
  'decision.accuracy, tool_hall, param_hall, answer_hall and more. Give a file with a',
  'line for each example: --truth truth.ndjson',
  '  {"example_id": "e1", "label": "tool_call", "expected_tool_calls": [{"name": "get_weather", "arguments": {"city": "Oslo"}}]}',
];

/** Short texts, as many to a line as fit. */
function inLines(texts: readonly string[]): string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 2 + text.length <= columns) lines[lines.length - 1] = `${last}, ${text}`;
    else lines.push(`  ${text}`);
  }
  return lines;
}

/** The groups with the most decisions, or events, of each set of dimensions, in the order of the summary. */
function greatest(groups: readonly Group[]): { readonly shown: readonly Group[]; readonly left: number } {
  const sets = new Set(groups.map(setOf));
  const kept = [...sets].flatMap((set) =>
    groups
      .filter((group) => setOf(group) === set)
      .sort((a, b) => Number(at(b, numberOf(groups)) ?? 0) - Number(at(a, numberOf(groups)) ?? 0))
      .slice(0, groupsMax),
  );
  const shown = groups.filter((group) => kept.includes(group));
  return { shown, left: groups.length - shown.length };
}

/** The number that groups are ordered by: decisions, or where there is none of them events. */
function numberOf([total]: readonly Group[]): string {
  return at(total, 'decision.n') === undefined ? 'tool_use.n' : 'decision.n';
}

function setOf({ slice }: Group): string {
  return Object.keys(slice).join();
}

/** As many tables as the metrics take: each has the groups' names, the first also their numbers of decisions, where there are any. */
function tablesOf(groups: readonly Group[], used: readonly Metric[], nameLength: number): string[][] {
  const names = ['', ...groups.map((group) => cut(nameOf(group), nameLength))];
  const counts = groups.map((group) => String(at(group, numberOf(groups)) ?? none));
  const numbered = counts.some((cell) => cell !== none) ? [names, ['n', ...counts]] : [names];
  const tables = [numbered];
  for (const metric of used) {
    const column = [metric.id, ...groups.map((group) => cellOf(at(group, metric.path)))];
    const last = tables.at(-1)!;
    if (widthOf([...last, column]) <= columns) last.push(column);
    else tables.push([names, column]);
  }
  return tables.filter((table) => table.length > 1).map(linesOf);
}

/** Metrics of one group with their counts, one a line: those that it has a value of, and rates of nothing. */
function listOf(group: Group | undefined): readonly string[] {
  const rows = rowsOf(group);
  return rows.length === 0 ? [] : textTable(rows).split('\n');
}

function rowsOf(group: Group | undefined): string[][] {
  return metrics
    .map(({ label, path }) => [label, cellOf(at(group, path)), countsOf(at(group, path))])
    .filter(([, cell, counts]) => cell !== none || counts !== '');
}

/** Cells of a column, its title first. */
type Column = readonly string[];

function widthOf(of: readonly Column[]): number {
  return of.reduce((sum, cells) => sum + 2 + Math.max(...cells.map(({ length }) => length)), -2);
}

function linesOf(of: readonly Column[]): string[] {
  return textTable(of[0]!.map((_, row) => of.map((cells) => cells[row]!))).split('\n');
}

function nameOf({ slice }: Group): string {
  const name = Object.entries(slice).map(([dimension, value]) => `${dimension}=${printable(value)}`);
  return name.length === 0 ? 'total' : name.join(',');
}

function at(group: Group | undefined, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Group | null | undefined)?.[key], group);
}

interface Reading {
  readonly value: number | null;
  readonly lower?: number;
  readonly upper?: number;
  readonly numerator?: number;
  readonly denominator?: number;
  readonly count?: number;
}

/** `77.6 % [74.1, 80.7]` of a rate, `0.6667` of a mean or a score, `17` of a count. */
function cellOf(value: unknown): string {
  if (typeof value === 'number') return value.toFixed(4);
  if (typeof value !== 'object' || value === null) return none;
  const { value: read, lower, upper } = value as Reading;
  if (read === null) return none;
  if (lower === undefined || upper === undefined) return read.toFixed(4);
  const percent = (share: number): string => (100 * share).toFixed(1);
  return `${percent(read)} % [${percent(lower)}, ${percent(upper)}]`;
}

function countsOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  const { numerator, denominator, count } = value as Reading;
  if (denominator !== undefined) return `${numerator}/${denominator}`;
  return count === undefined ? '' : `mean of ${count}`;
}
