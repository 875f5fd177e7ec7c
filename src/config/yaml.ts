import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { UsageError } from '../errors.ts';
import type { Path } from './json-schema.ts';
import { isPlainObject, type Layer } from './layer.ts';
import { textOf } from './text-file.ts';

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
    const shown = faults
      .slice(0, faultsReported)
      .map(({ pos, message }) => `${placeAt(pos[0])}: ${faultText(message)}`);
    const left = faults.length - shown.length;
    throw new UsageError([...shown, ...(left > 0 ? [`${file}: ${left} more of these; is it YAML?`] : [])].join('\n'));
  }
  const values = plainOf(document, file) ?? {};
  if (!isPlainObject(values))
    throw new UsageError(`${placeAt(0)}: is no configuration; write keys and values, such as time: {pane: 10s}`);
  return {
    values,
    placeOf(path, part) {
      const offset = offsetOf(document, path, part);
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

/** In a file of another kind every line is a fault. */
const faultsReported = 5;

/** Content of a file, or what the user can do about it. */
function readText(file: string): string {
  try {
    return textOf(file);
  } catch (error) {
    throw new UsageError(`${file}: the configuration cannot be read: ${(error as Error).message}; name a YAML file`);
  }
}

/** The library names what it stumbled over behind a colon. That may be a secret. */
function faultText(message: string): string {
  return `is not YAML: ${message.split(': ')[0]!}; text that holds one of *&!#:{}[] goes in quotes`;
}

/** Plain values; aliases that do not resolve, or that multiply without bound, are errors. */
function plainOf(document: ReturnType<typeof parseDocument>, file: string | undefined): unknown {
  try {
    const values: unknown = document.toJS();
    if (holdsItself(values)) throw new Error('an alias stands inside the value that it repeats');
    return values;
  } catch (error) {
    const text = faultText((error as Error).message);
    throw file === undefined ? new Error(text) : new UsageError(`${file}: ${text}`);
  }
}

/** Returns whether a value is a part of itself: `&a [*a]`. */
function holdsItself(value: unknown, above: readonly unknown[] = []): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const within = [...above, value];
  return above.includes(value) || Object.values(value).some((part) => holdsItself(part, within));
}

/** Offset of the value at `path`, or of its key; where it is not there, of the deepest key on the way to it. */
function offsetOf(document: ReturnType<typeof parseDocument>, path: Path, part: 'key' | 'value'): number | undefined {
  for (let depth = path.length; depth > 0; depth--) {
    const key = path[depth - 1]!;
    const around = depth === 1 ? document.contents : document.getIn(path.slice(0, depth - 1), true);
    const pair = isMap(around)
      ? around.items.find((item) => String(isScalar(item.key) ? item.key.value : item.key) === key)
      : undefined;
    const value = isSeq(around) ? around.items[Number(key)] : pair?.value;
    const shown = part === 'key' || depth < path.length ? (pair?.key ?? value) : (value ?? pair?.key);
    if (isNode(shown) && shown.range) return shown.range[0];
  }
  return undefined;
}
