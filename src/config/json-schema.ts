import * as z from 'zod';
import { configSchema } from './config.ts';

/** The part of JSON Schema (draft 7) that our schema uses. */
export interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  /** A secret. */
  readonly writeOnly?: boolean;
}

export type Path = readonly (string | number)[];

/** JSON Schema of the configuration file, for editors. */
export function configJsonSchema(): SchemaNode & Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(configSchema, {
    io: 'input',
    target: 'draft-7',
    // The library leaves them out where a value is transformed, and ours are what is written.
    override({ zodSchema, jsonSchema }) {
      const examples = z.globalRegistry.get(zodSchema)?.['examples'] as unknown[] | undefined;
      if (examples !== undefined) jsonSchema.examples = examples;
    },
  });
  return { ...schema, title: 'Configuration of Assay' } as SchemaNode & Readonly<Record<string, unknown>>;
}

/** The schema of the key at `path`; undefined where there is no such key. */
export function schemaAt(root: SchemaNode, path: Path): SchemaNode | undefined {
  let node: SchemaNode | undefined = root;
  for (const key of path) {
    node = typeof key === 'number' ? itemsOf(node) : childOf(node, key);
    if (node === undefined) return undefined;
  }
  return node;
}

/** Names of the keys of a section; of no use for a plain value. */
export function keysOf(node: SchemaNode | undefined): readonly string[] {
  return node === undefined ? [] : alternatives(node).flatMap(({ properties }) => Object.keys(properties ?? {}));
}

/** Returns whether the value, or anything in it, is a secret. */
export function holdsSecret(node: SchemaNode): boolean {
  if (node.writeOnly === true) return true;
  return alternatives(node).some((one) => one.properties && Object.values(one.properties).some(holdsSecret));
}

/** Every path of the schema, sections included, in order. */
export function pathsOf(node: SchemaNode, at: readonly string[] = []): (readonly string[])[] {
  return keysOf(node).flatMap((key) => [[...at, key], ...pathsOf(childOf(node, key)!, [...at, key])]);
}

function itemsOf(node: SchemaNode): SchemaNode | undefined {
  return alternatives(node).find(({ items }) => items !== undefined)?.items;
}

function childOf(node: SchemaNode, key: string): SchemaNode | undefined {
  for (const { properties } of alternatives(node)) {
    if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key];
  }
  return undefined;
}

function alternatives(node: SchemaNode): readonly SchemaNode[] {
  return node.anyOf ?? [node];
}
