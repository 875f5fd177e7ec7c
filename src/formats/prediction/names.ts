import { extended } from '../../state/containers/extended.ts';
import type { Names } from '../../stream/event.ts';
import { identityOfText } from '../../state/containers/identity.ts';

/** Names that events repeat, as small integers; grows by `codeOf`, starts anew by `renew`. */
export interface NameTable extends Names {
  /** Code of a name, given out at its first sight. A lone surrogate in that of a tag counts as U+FFFD, as it would in any output. */
  codeOf(text: string): number;
  /** Forgets all names where they have grown beyond their bound. To be called between batches only. */
  renew(): void;
}

/** Beyond either, the next batch starts a new generation: hostile names cannot fill the memory. */
const namesMax = 65_536;
const charactersMax = 16_777_216;

/** An empty table; code 0 is the empty text in every generation. */
export function nameTable(): NameTable {
  const table = { generation: 0, words: new Uint32Array(0), text, codeOf, renew };
  let codes = new Map<string, number>();
  let texts: string[] = [];
  let characters = 0;
  clear();
  return table;

  function clear(): void {
    codes = new Map();
    texts = [];
    characters = 0;
    table.words = new Uint32Array(4 * 64);
    codeOf('');
  }

  function text(code: number): string {
    return texts[code]!;
  }

  function codeOf(name: string): number {
    return codes.get(name) ?? add(name);
  }

  function add(name: string): number {
    if (!name.isWellFormed()) return codeOf(name.toWellFormed());
    const code = texts.length;
    if (4 * code === table.words.length) table.words = extended(table.words, new Uint32Array(8 * code));
    identityOfText(name, table.words, 4 * code);
    codes.set(name, code);
    texts.push(name);
    characters += name.length;
    return code;
  }

  function renew(): void {
    if (texts.length <= namesMax && characters <= charactersMax) return;
    clear();
    table.generation++;
  }
}
