import type * as z from 'zod';
import { holdsSecret, keysOf, type Path, pathsOf, type SchemaNode, schemaAt } from './json-schema.ts';
import { type Layer, valueAt } from './layer.ts';
import { nearest } from '../view/near.ts';

/** One thing that is wrong: where, and what with its remedy. */
export interface Problem {
  /** `file:line:column`, a variable or a flag; undefined for a default. */
  readonly place: string | undefined;
  readonly text: string;
}

/** A problem of a value in the light of others; the phrase follows key and value. */
export interface Finding {
  readonly path: Path;
  readonly phrase: string;
}

type Issue = z.core.$ZodIssue;

/** The values given to the schema: the layers, lowest first. */
export interface Given {
  readonly schema: () => SchemaNode;
  readonly values: unknown;
  readonly layers: readonly Layer[];
}

/** `assay.yaml:2:3: kafka.grupid: unknown key; did you mean kafka.group_id?` */
export function problemText({ place, text }: Problem): string {
  return place === undefined ? text : `${place}: ${text}`;
}

/** Problems of an issue of the schema's check; an unknown key each has its own. */
export function problemsOf(issue: Issue, given: Given): readonly Problem[] {
  const path = issue.path as Path;
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey([...path, key], given));
  if (issue.code === 'invalid_key')
    return [{ place: placeOf(path, 'key', given), text: `${keyText(path)}: ${issue.issues[0]!.message}` }];
  if (issue.code === 'invalid_union') {
    const inner = issue.errors.find((issues) =>
      issues.every((one) => one.path.length > 0 || one.code === 'unrecognized_keys'),
    );
    if (inner !== undefined) {
      return inner.flatMap((one) => problemsOf({ ...one, path: [...issue.path, ...one.path] }, given));
    }
  }
  const isSection =
    issue.code === 'invalid_type' && issue.expected === 'object' && valueAt(given.values, path) !== undefined;
  return [problemAt(path, isSection ? sectionPhrase(path, given) : issue.message, given)];
}

/** The phrase for a value that should be a section: the keys of the section. */
function sectionPhrase(path: Path, { schema }: Given): string {
  const known = keysOf(schemaAt(schema(), path));
  return known.length === 0
    ? 'holds no keys; write {key: value}'
    : `is not a section; its keys are ${known.join(', ')}`;
}

/** `place: key: value phrase`. */
export function problemAt(path: Path, phrase: string, given: Given): Problem {
  const value = valueAt(given.values, path);
  const node = schemaAt(given.schema(), path);
  const said = value === undefined ? 'is missing' : `${shownValue(node, value)} ${phrase}`;
  return { place: placeOf(path, 'value', given), text: `${keyText(path)}: ${said}` };
}

/** A value in a message: as JSON, cut, and never a secret, nor what may hold a login (`user:password@host`). */
export function shownValue(node: SchemaNode | undefined, value: unknown): string {
  if (node !== undefined && holdsSecret(node)) return 'the value (hidden)';
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  if (/:.*@/.test(text)) return 'the value (hidden)';
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function unknownKey(path: Path, given: Given): Problem {
  const section = path.slice(0, -1);
  const known = keysOf(schemaAt(given.schema(), section));
  const key = String(path.at(-1));
  const near = nearest(key, known);
  const elsewhere = pathsOf(given.schema()).find((other) => other.at(-1) === key);
  const meant = near === undefined ? elsewhere : [...section, near];
  const remedy =
    meant === undefined
      ? `known keys${section.length > 0 ? ` of ${keyText(section)}` : ''}: ${known.join(', ')}`
      : `did you mean ${keyText(meant)}?`;
  return { place: placeOf(path, 'key', given), text: `${keyText(path)}: unknown key; ${remedy}` };
}

function placeOf(path: Path, part: 'key' | 'value', { layers }: Given): string | undefined {
  for (const layer of layers.toReversed()) {
    const place = layer.placeOf(path, part);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** `time.windows[1]`. */
function keyText(path: Path): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index > 0 ? `.${key}` : key)).join('');
}
