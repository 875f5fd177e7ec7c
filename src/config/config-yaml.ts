import { Document, visit } from 'yaml';
import type { Config } from './config.ts';
import { isTime } from './duration.ts';
import { configJsonSchema, type SchemaNode, schemaAt } from './json-schema.ts';
import { isPlainObject } from './layer.ts';

/** The text in place of a secret. */
const mask = '********';

/** The effective configuration as YAML, which can be loaded again; secrets are masked. */
export function configYaml(config: Config): string {
  const document = new Document(plainConfig(config));
  visit(document, {
    Seq(_, list) {
      list.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** The effective configuration as plain values that can be loaded again; secrets are masked. */
export function plainConfig(config: Config): Readonly<Record<string, unknown>> {
  return writtenForm(config, configJsonSchema()) as Readonly<Record<string, unknown>>;
}

/** The configuration as it could have been written. */
function writtenForm(value: unknown, node: SchemaNode): unknown {
  if (node.writeOnly === true) return mask;
  if (isTime(value)) return value.text;
  if (Array.isArray(value)) return value.map((item) => writtenForm(item, node.items ?? {}));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, writtenForm(inner, schemaAt(node, [key]) ?? {})]),
  );
}
