import { keysOf, pathsOf, type SchemaNode, schemaAt } from './json-schema.ts';
import type { Setting } from './layer.ts';
import { programName } from '../name.ts';
import { nearest } from '../view/near.ts';
import { type Problem, shownValue } from './problems.ts';
import { textOf } from './text-file.ts';
import { yamlValue } from './yaml.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const prefix = `${programName.toUpperCase()}_`;
const fileSuffix = '_FILE';

/**
 * Settings from the environment: `ASSAY_KAFKA__BROKERS` sets kafka.brokers. Only names with `__` count, so what others put there
 * (Kubernetes: `ASSAY_PORT`) is left alone; an empty variable counts as absent. Text is taken as it is, everything else is YAML in
 * flow syntax, and a list of texts may be written with commas alone. `…_FILE` names a file that holds a text: for secrets.
 */
export function environmentSettings(
  environment: Environment,
  schema: () => SchemaNode,
): { readonly settings: readonly Setting[]; readonly problems: readonly Problem[] } {
  const settings: Setting[] = [];
  const problems: Problem[] = [];
  for (const name of Object.keys(environment).sort()) {
    const value = environment[name];
    if (!name.startsWith(prefix) || !name.includes('__') || value === undefined || value === '') continue;
    const read = settingOf(name, value, environment, schema());
    if ('text' in read) problems.push(read);
    else settings.push(read);
  }
  return { settings, problems };
}

/** Variables that set nothing, though with `__` in the place of `_` they would: a line for each. */
export function nearVariables(environment: Environment, schema: () => SchemaNode): readonly string[] {
  const unread = Object.keys(environment).filter(
    (name) => name.startsWith(prefix) && !name.includes('__') && environment[name],
  );
  if (unread.length === 0) return [];
  const known = new Map(
    pathsOf(schema())
      .filter((path) => path.length > 1)
      .map((path) => [nameOf(path).replaceAll('__', '_'), nameOf(path)]),
  );
  return unread.sort().flatMap((name) => {
    const meant = known.get(name);
    return meant === undefined ? [] : [`${name} sets nothing; did you mean ${meant}?`];
  });
}

function settingOf(name: string, value: string, environment: Environment, schema: SchemaNode): Setting | Problem {
  const path = pathOf(name);
  const node = schemaAt(schema, path);
  if (node !== undefined) return valueSetting(name, path, value, node);
  const plainName = name.slice(0, -fileSuffix.length);
  const plainPath = pathOf(plainName);
  if (!name.endsWith(fileSuffix) || schemaAt(schema, plainPath)?.type !== 'string') return unknown(name, schema);
  if (environment[plainName]) return { place: name, text: `${plainName} is set too; keep one of them` };
  return fileSetting(name, plainPath, value);
}

function valueSetting(name: string, path: readonly string[], value: string, node: SchemaNode): Setting | Problem {
  if (node.type === 'string') return { path, value, place: name };
  try {
    const read = yamlValue(value);
    const isPlainList = node.items?.type === 'string' && typeof read === 'string' && !/[@\s]/.test(read);
    return { path, value: isPlainList ? read.split(',') : read, place: name };
  } catch (error) {
    return { place: name, text: `${path.join('.')}: ${shownValue(node, value)} ${(error as Error).message}` };
  }
}

function fileSetting(name: string, path: readonly string[], file: string): Setting | Problem {
  try {
    return { path, value: textOf(file).replace(/\r?\n$/, ''), place: name };
  } catch (error) {
    return { place: name, text: `${path.join('.')}: the file cannot be read: ${(error as Error).message}` };
  }
}

function unknown(name: string, schema: SchemaNode): Problem {
  const names = pathsOf(schema)
    .filter((path) => path.length > 1)
    .map(nameOf);
  const near = nearest(name, names);
  const section = pathOf(name)[0]!;
  const known = keysOf(schemaAt(schema, [section])).map((key) => nameOf([section, key]));
  const list = known.length > 0 ? known.join(', ') : `${prefix}<section>__<key>, see assay config schema`;
  const remedy = near === undefined ? `there are ${list}` : `did you mean ${near}?`;
  return { place: name, text: `sets no key of the configuration; ${remedy}` };
}

function pathOf(name: string): readonly string[] {
  return name.slice(prefix.length).toLowerCase().split('__');
}

function nameOf(path: readonly string[]): string {
  return prefix + path.join('__').toUpperCase();
}
