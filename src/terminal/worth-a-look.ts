import type { ErrorKind, FailedExample } from '../formats/summary/error-kinds.ts';
import { printable, wrapped } from './terminal-text.ts';

/** Kinds of error that a person looks at first. */
export const kindsShown = 3;

/**
 * The largest kinds of error as text for a person at a terminal: the number of events, the error, one example, and the command that shows it,
 * which is never broken. Empty where nothing is wrong.
 */
export function worthALook(
  kinds: readonly ErrorKind[],
  commandOf: (example: FailedExample) => string,
  width: number,
): string {
  if (kinds.length === 0) return '';
  const shown = kinds.slice(0, kindsShown);
  const most = Math.max(...shown.map(({ events }) => String(events).length));
  const indent = ' '.repeat(most + 4);
  const lines = shown.flatMap((kind) => [
    `  ${String(kind.events).padStart(most)}  ${printable(kind.name)}`,
    ...kind.examples
      .slice(0, 1)
      .flatMap((example) => [
        ...(example.detail === '' ? [] : wrapped(printable(example.detail), indent, width)),
        `${indent}${commandOf(example)}`,
      ]),
  ]);
  return ['Most worth a look (events, error, an example):', ...lines].map((line) => `${line}\n`).join('');
}

/** The command that explains a failed event. `files` are the flags that name the events again. */
export function explainCommand(files: readonly string[], { id }: FailedExample): string {
  return printable(['assay', 'explain', ...files, '--id', id].map(shellWord).join(' '));
}

/** A word as a shell reads it. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
