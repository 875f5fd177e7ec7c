import { type InputRow, placeText, remedyOf } from '../view/input-report.ts';
import type { Rate } from '../scoring/reading.ts';
import { printable, wrapped } from './terminal-text.ts';

/**
 * The oddities of the input as text for a person at a terminal: by kind its number, its first place, what was there, and what to do; then
 * the notices of what no record had. Empty where nothing was wrong.
 */
export function inputText(
  rows: readonly InputRow[],
  { numerator, denominator }: Rate,
  notices: readonly string[],
  width: number,
): string {
  if (rows.length + notices.length === 0) return '';
  const most = Math.max(...rows.map(({ count }) => String(count).length));
  const indent = ' '.repeat(most + 4);
  const parts = rows.flatMap((row) => [
    `  ${String(row.count).padStart(most)}  ${row.what}`,
    ...(row.first === null ? [] : wrapped(`first at ${exampleText(row)}`, indent, width)),
    ...(remedyOf(row) === undefined ? [] : wrapped(row.remedy, indent, width)),
  ]);
  const head = `What was wrong with the input (${numerator} of ${denominator} events scored):`;
  const others = notices.flatMap((notice) => wrapped(printable(notice), '  ', width));
  return `${[head, ...parts, ...others].join('\n')}\n`;
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
