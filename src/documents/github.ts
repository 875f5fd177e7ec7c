import { printable } from '../terminal/terminal-text.ts';

/** A remark on a line of a file, which GitHub shows there. */
export interface Annotation {
  readonly level: 'error' | 'warning';
  readonly file: string;
  readonly line: number;
  readonly title: string;
  readonly message: string;
}

/** GitHub shows so many annotations of a level for a step. */
export const annotationsMax = 10;

/** An annotation as a line that GitHub's runner reads in the output of a step. */
export function annotationLine({ level, file, line, title, message }: Annotation): string {
  return `::${level} file=${property(file)},line=${line},title=${property(title)}::${data(message)}\n`;
}

/** A text from events in Markdown: it stands as it is, on one line, also in the cell of a table. */
export function markdownText(text: string): string {
  return printable(text).replace(/[\\`*_[\]<>|~&@#]|:(?=\/\/)/g, '\\$&');
}

/** A table in Markdown; cells are Markdown. Columns but the first stand to the right. */
export function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(titles), line(titles.map((_, at) => (at === 0 ? ':--' : '--:'))), ...rows.map(line)].join('\n');
}

/** A command in Markdown, to be copied; it is one line. */
export function markdownCommand(command: string, indent = ''): string {
  return ['```sh', printable(command), '```'].map((line) => indent + line).join('\n');
}

function data(text: string): string {
  return printable(text).replaceAll('%', '%25');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
