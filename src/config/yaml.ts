import { readFileSync } from 'node:fs';
import { isCollection, isMap, isPair, LineCounter, type Node, parseDocument } from 'yaml';
import { UsageError } from '../errors.ts';
import type { Path } from './json-schema.ts';
import { isPlainObject, type Layer } from './layer.ts';

/** The layer of a YAML file. Places are `file:line:column`. */
export function yamlLayer(file: string): Layer {
  const lines = new LineCounter();
  const placeAt = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const document = parseDocument(readText(file), { lineCounter: lines, prettyErrors: false });
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    throw new UsageError(faults.map(({ pos, message }) => `${placeAt(pos[0])}: ${faultText(message)}`).join('\n'));
  }
  const values = plainOf(document, file) ?? {};
  if (!isPlainObject(values))
    throw new UsageError(`${placeAt(0)}: is no configuration; write keys and values, such as time: {pane: 10s}`);
  return {
    values,
    placeOf(path, part) {
      const offset = offsetOf(document.contents, path, part);
      return offset === undefined ? undefined : placeAt(offset);
    },
  };
}

/** The value of a text in YAML flow syntax, such as `[a, b]`. Throws an error with what is wrong. */
export function yamlValue(text: string): unknown {
  const document = parseDocument(text, { prettyErrors: false });
  const fault = document.errors[0] ?? document.warnings[0];
  if (fault !== undefined) throw new Error(faultText(fault.message));
  return plainOf(document, undefined);
}

/** Content of a file, or what the user can do about it. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file}: the configuration cannot be read: ${(error as Error).message}`);
  }
}

/** The library names what it stumbled over behind a colon. That may be a secret. */
function faultText(message: string): string {
  return `is not YAML: ${message.split(': ')[0]!}; text that holds one of *&!#:{}[] goes in quotes`;
}

/** Plain values; aliases that do not resolve, or that multiply without bound, are errors. */
function plainOf(document: ReturnType<typeof parseDocument>, file: string | undefined): unknown {
  try {
    return document.toJS();
  } catch (error) {
    const text = faultText((error as Error).message);
    throw file === undefined ? new Error(text) : new UsageError(`${file}: ${text}`);
  }
}

/** Offset of the deepest node on the way to `path`, below the root. */
function offsetOf(root: unknown, path: Path, part: 'key' | 'value'): number | undefined {
  let node = root;
  let offset: number | undefined;
  for (const [depth, key] of path.entries()) {
    const last = depth === path.length - 1;
    const item = isMap(node) ? node.items.find((pair) => keyText(pair.key) === String(key)) : undefined;
    const child = isPair(item)
      ? item.value
      : isCollection(node) && typeof key === 'number'
        ? node.items[key]
        : undefined;
    const shown = isPair(item) && (child === null || !last || part === 'key') ? item.key : child;
    if (!hasRange(shown)) return offset;
    offset = shown.range[0];
    node = child;
  }
  return offset;
}

function keyText(key: unknown): string {
  return hasRange(key) && 'value' in key ? String(key.value) : String(key);
}

function hasRange(value: unknown): value is Node & { readonly range: readonly [number, number, number] } {
  return typeof value === 'object' && value !== null && Array.isArray((value as Node).range);
}
