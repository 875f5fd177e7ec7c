import { isMap, isScalar, type Pair, parseDocument, stringify, type YAMLMap } from 'yaml';
import { configJsonSchema, type SchemaNode } from '../../src/config/json-schema.ts';
import type { GeneratedFile } from './generated.ts';

/**
 * README and JSON Schema of the Helm chart, from its values.yaml: a comment is the meaning of the value below it, a default says its
 * type. Throws where a value has no comment.
 */
export function chartFiles(valuesYaml: string): GeneratedFile[] {
  const values = valuesOf(parseDocument(valuesYaml).contents as YAMLMap, []);
  return [
    { path: 'deploy/helm/README.md', text: readme(values) },
    { path: 'deploy/helm/values.schema.json', text: `${JSON.stringify(schemaOf(values), null, 2)}\n` },
  ];
}

/** A value of the chart; `inner` where it is a section. */
interface ChartValue {
  readonly path: string;
  readonly meaning: string | undefined;
  readonly default: unknown;
  readonly inner: readonly ChartValue[];
}

type Schema = Readonly<Record<string, unknown>>;

const strict = (properties: Readonly<Record<string, Schema>>, ...required: readonly string[]): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

const text = { type: 'string' };
const texts = { type: 'object', additionalProperties: text };
const anyObject = { type: 'object' };
const named = { type: 'array', items: { type: 'object', required: ['name'] } };
const pods = { type: 'integer', minimum: 1 };
const resources = strict({ requests: anyObject, limits: anyObject, claims: named });

/** Schemas that a default does not say. */
const schemas: Readonly<Record<string, Schema>> = {
  'image.pullPolicy': { enum: ['Always', 'IfNotPresent', 'Never'] },
  imagePullSecrets: named,
  replicas: pods,
  config: configuration(),
  'ingest.tokens': {
    type: 'array',
    items: strict(
      {
        secret: { type: 'string', minLength: 1 },
        key: { type: 'string', minLength: 1 },
        rights: { type: 'array', minItems: 1, items: { enum: ['write', 'read'] } },
      },
      'secret',
    ),
  },
  env: named,
  extraVolumes: named,
  extraVolumeMounts: { type: 'array', items: { type: 'object', required: ['name', 'mountPath'] } },
  'serviceAccount.annotations': texts,
  resources,
  podAnnotations: texts,
  podLabels: texts,
  nodeSelector: texts,
  'service.annotations': texts,
  'service.labels': texts,
  'view.replicas': pods,
  'view.resources': resources,
  'networkPolicy.egressPorts': { type: 'array', items: { type: 'integer', minimum: 1, maximum: 65_535 } },
  'podDisruptionBudget.maxUnavailable': { type: ['integer', 'string'] },
  'serviceMonitor.labels': texts,
};

/** The schema of assay.yaml, with the keys that the chart cannot do without. */
function configuration(): Schema {
  const { $schema: _, title: __, ...schema } = configJsonSchema();
  const { http, state, ...others } = schema.properties!;
  const port: SchemaNode = { ...http!.properties!['port'], minimum: 1 };
  return {
    ...schema,
    properties: {
      ...others,
      http: { ...http, properties: { ...http!.properties, port }, required: ['host', 'port'] },
      state: { ...state, required: ['dir'] },
    },
    required: ['http', 'state', 'grace'],
  };
}

function valuesOf({ items, commentBefore }: YAMLMap, above: readonly string[]): ChartValue[] {
  return (items as Pair[]).map(({ key, value }, index) => {
    if (!isScalar(key)) throw new Error('the keys of values.yaml are texts');
    // The parser gives the comment of the first key to the map that it is in.
    const comment = key.commentBefore ?? (index === 0 ? commentBefore : undefined);
    const path = [...above, String(key.value)];
    const name = path.join('.');
    const isSection = isMap(value) && value.items.length > 0 && (name === 'config' || !(name in schemas));
    const meaning = comment?.trim().replace(/\s*\n\s*/g, ' ');
    if (meaning === undefined && !isSection)
      throw new Error(`values.yaml: ${name} has no comment that says what it is`);
    return {
      path: name,
      meaning,
      default: isSection ? undefined : (value as { toJSON(): unknown }).toJSON(),
      inner: isSection ? valuesOf(value, path) : [],
    };
  });
}

function schemaOf(values: readonly ChartValue[]): Schema {
  // Helm hands the key to every chart that is part of another.
  const properties = { ...propertiesOf(values), global: anyObject };
  return { $schema: 'http://json-schema.org/draft-07/schema#', title: 'Values of the chart', ...strict(properties) };
}

function propertiesOf(values: readonly ChartValue[]): Record<string, Schema> {
  return Object.fromEntries(values.map((value) => [value.path.split('.').at(-1)!, schemaOfValue(value)]));
}

function schemaOfValue({ path, meaning, default: given, inner }: ChartValue): Schema {
  const described = meaning === undefined ? {} : { description: meaning };
  const own = schemas[path] ?? (inner.length > 0 ? strict(propertiesOf(inner)) : schemaOfDefault(given));
  return { ...described, ...own };
}

function schemaOfDefault(given: unknown): Schema {
  if (Array.isArray(given)) return { type: 'array', items: anyObject };
  return { type: given === null ? 'object' : typeof given };
}

function readme(values: readonly ChartValue[]): string {
  const rows = values.flatMap(rowsOf).map((cells) => `| ${cells.join(' | ')} |`);
  return `${introduction}\n\n| value | default | meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
}

const introduction = `# The chart

Generated by \`npm run generate\` from values.yaml; change it there. How to install it: [deploy](../README.md#kubernetes).

\`config\` is the one place for what the program does. From it follow

- ports of Service, container and probes: \`config.http.port\`, and for metrics and health the port of \`config.http.expose\`, by default the next one;
- \`terminationGracePeriodSeconds\`: \`config.grace\` and 10 s;
- what is written where: \`config.state.dir\`, \`state.cache\` and \`snapshots.dir\` are mounted from one volume; a bucket needs none;
- the ports of brokers in the NetworkPolicy.

Values that contradict it, and keys that neither the chart nor the program knows, are refused by helm.`;

function rowsOf({ path, meaning, default: given, inner }: ChartValue): string[][] {
  const byDefault = inner.length > 0 ? '' : `\`${flow(given)}\``;
  const own = meaning === undefined ? [] : [[`\`${path}\``, byDefault, meaning.replaceAll('|', '\\|')]];
  return [...own, ...inner.flatMap(rowsOf)];
}

function flow(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 }).trim();
}
