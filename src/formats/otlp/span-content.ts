import { Buffer } from 'node:buffer';
import { identityOfText } from '../../state/containers/identity.ts';
import type { LogRecord } from '../../stream/event.ts';
import { outputAt, unreadAt } from '../inputs/form.ts';
import { type KnownHashes, knownHashes } from '../prediction/known-hashes.ts';
import { createScanner, fieldWords, type ScannedField, type Scanner, valueTypes, word } from '../prediction/scanner.ts';
import { knownPlaces as at } from './known-names.ts';
import type { Span } from './span.ts';

/** What is known of the content of a span's event by its hash. */
export interface SpanContents {
  readonly scanner: Scanner;
  /** Labels of events that were accepted. */
  readonly labels: KnownHashes;
  readonly salt: Uint32Array;
}

/** The messages of a span, its tools, and what else it says, in one text. */
const parts = { messages: 0, tools: 1, rest: 2 } as const;
const beginnings = ['{"m":', ',"t":', ',"x":'] as const;
const messageTexts = [
  ...[outputAt('[].parts[].content'), outputAt('[].content'), outputAt('[].content[].text')],
  unreadAt('[].parts[].id'),
];
const fields: readonly ScannedField[] = [
  { name: 'm', types: ['array'], elements: valueTypes, hash: 'both', texts: messageTexts },
  { name: 't', types: ['absent', 'array'], elements: valueTypes, hash: 'first' },
  { name: 'x', types: ['object'], hash: 'first' },
];

const contentsKnown = 1 << 14;

/** Nothing known; undefined where there is no scanner. `options`: what else an event depends on. */
export function spanContents(options: string, depth: number): SpanContents | undefined {
  const scanner = createScanner(fields, depth);
  if (scanner === undefined) return undefined;
  const salt = new Uint32Array(4);
  identityOfText(`spans ${options}`, salt, 0);
  return { scanner, labels: knownHashes(contentsKnown), salt };
}

const scratch = Buffer.allocUnsafe(0x10000);
const bytesOfUnit = 3;
const restMost = 4_096;

/**
 * Hashes what the event of a span is read from but for its columns, as `EventBatch.content`; undefined where its messages and tools are no JSON
 * texts, or any is unusual. Ids of calls are left out.
 */
export function contentOf(
  { scanner, salt }: SpanContents,
  { attributes, resource, failure }: Span,
): Uint32Array | undefined {
  const { values } = attributes;
  const { [at.messages]: messages, [at.tools]: tools } = values;
  if (typeof messages !== 'string' || (tools !== undefined && typeof tools !== 'string')) return undefined;
  const rest = JSON.stringify({
    l: values[at.label] ?? resource.values[at.label],
    s: values[at.success] ?? resource.values[at.success],
    e: values[at.errorType],
    f: failure,
  });
  const units = messages.length + (tools?.length ?? 0) + rest.length;
  if (rest.length > restMost || bytesOfUnit * units + 100 > scratch.length) return undefined;
  // Lone surrogates would be written as one and the same character.
  if (!messages.isWellFormed() || tools?.isWellFormed() === false) return undefined;
  const ends: [number, number, number] = [0, 0, 0];
  let end = write(0, parts.messages, messages, ends);
  if (tools !== undefined) end = write(end, parts.tools, tools, ends);
  end = write(end, parts.rest, rest, ends);
  scratch[end++] = 0x7d;
  scanner.begin(undefined);
  if (!scanner.scan({ ...noRecord, end }, 0)) return undefined;
  // A text that is no value, but a value and further members, would not end where it ends.
  const { words } = scanner;
  for (const part of Object.values(parts))
    if (ends[part] > 0 && words[fieldWords * part + word.end] !== ends[part]) return undefined;
  const content = new Uint32Array(8);
  for (let i = 0; i < 8; i++) content[i] = words[scanner.groups + i]! ^ (i < 4 ? salt[i]! : 0);
  return content;
}

const noRecord: LogRecord = { bytes: scratch, start: 0, end: 0, key: null, offset: 0, timestamp: Number.NaN };

function write(from: number, part: 0 | 1 | 2, text: string, ends: [number, number, number]): number {
  const start = from + scratch.write(beginnings[part], from, 'latin1');
  ends[part] = start + scratch.write(text, start, 'utf8');
  return ends[part];
}

const key = new Int32Array(4);

/** The label of the event that has this content; -1 where none is known. A decision may be read from the output. */
export function labelOfContent({ labels }: SpanContents, content: Uint32Array): number {
  readKey(content);
  return labels.find(key, 0);
}

/** Remembers an event that was accepted. */
export function rememberContent({ labels }: SpanContents, content: Uint32Array, label: number): void {
  readKey(content);
  labels.put(key, 0, label);
}

function readKey(content: Uint32Array): void {
  for (let i = 0; i < 4; i++) key[i] = content[i]! ^ ((content[4 + i]! << 7) | (content[4 + i]! >>> 25));
}
