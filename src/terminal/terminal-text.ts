/** Columns that tables fit into, unless a name takes more. */
export const columns = 80;

/** Width of lines on a stream: that of the terminal; a pipe or a file has no end of a line. */
export function widthOf({ isTTY, columns: wide }: { readonly isTTY?: boolean; readonly columns?: number }): number {
  return isTTY ? wide || columns : Number.POSITIVE_INFINITY;
}

/** A text from events on one line: nothing in it may move the cursor or colour the terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u00b7');
}

/** A text in lines of at most `width` characters, each after an indent; a longer word has a line of its own. */
export function wrapped(text: string, indent: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, indent + line];
}

/** A text of at most `length` characters: a longer one ends in an ellipsis. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
