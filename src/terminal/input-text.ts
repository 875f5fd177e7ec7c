import { type InputRow, isWrong, placeText, remedyOf } from '../view/input-report.ts';
import { printable, wrapped } from './terminal-text.ts';

/**
 * The oddities of the input as text for a person at a terminal: by kind its number, its first place, what was there, and what to do; then
 * the notices of what no record had, and by which rules decisions were read from words. `of`: the events that these belong to, as `3 of 4 events scored`.
 * Empty where there is nothing to tell.
 */
export function inputText(rows: readonly InputRow[], of: string, notices: readonly string[], width: number): string {
  const [wrong, usual] = [rows.filter(isWrong).filter(isNoRepetition), rows.filter((row) => !isWrong(row))];
  const others = notices.flatMap((notice) => wrapped(printable(notice), '  ', width));
  const troubles = [...rowLines(wrong, width), ...others];
  return [
    ...(troubles.length === 0 ? [] : [`What was wrong with the input (${of}):`, ...troubles]),
    ...(usual.length === 0 ? [] : ['How the input was read:', ...rowLines(usual, width)]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** Returns whether no other row says more of the same calls: one whose arguments were cut off is malformed too. */
function isNoRepetition({ kind, count }: InputRow, _at: number, all: readonly InputRow[]): boolean {
  return kind !== 'malformed_calls' || !all.some((row) => row.kind === 'unparsed_arguments' && row.count === count);
}

function rowLines(rows: readonly InputRow[], width: number): string[] {
  const most = Math.max(0, ...rows.map(({ count }) => String(count).length));
  const indent = ' '.repeat(most + 4);
  return rows.flatMap((row) => [
    `  ${String(row.count).padStart(most)}  ${row.what}`,
    ...(row.first === null ? [] : wrapped(`first at ${exampleText(row)}`, indent, width)),
    ...(remedyOf(row) === undefined ? [] : wrapped(row.remedy, indent, width)),
  ]);
}

/** One line for the log: what happened since the last one. */
export function inputLine(row: InputRow): string {
  const example = row.first === null ? '' : `, first at ${exampleText(row)}`;
  const remedy = remedyOf(row);
  return `${row.what}: ${row.count}${example}${remedy === undefined ? '' : `; ${remedy}`}`;
}

function exampleText({ first, value }: InputRow): string {
  const place = placeText(first!);
  return printable(value === null ? place : `${place}: ${value}`);
}
