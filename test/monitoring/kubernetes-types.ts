import { resolve } from 'node:path';
import ts from 'typescript';

/** A Kubernetes object. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

const builtIn = 'kubernetes-models';
/** Packages with the validators and types of the kinds that the kit uses, by version of the interface. */
const packages: Readonly<Record<string, string>> = {
  ...{ 'apps/v1': builtIn, v1: builtIn, 'networking.k8s.io/v1': builtIn, 'policy/v1': builtIn },
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator',
  'keda.sh/v1alpha1': '@kubernetes-models/keda',
};

/** What a cluster would refuse: wrong and missing values by the schemas, and unknown fields by the types. */
export async function manifestProblems(manifests: readonly Manifest[]): Promise<string[]> {
  const problems: string[] = [];
  for (const manifest of manifests) {
    const problem = await schemaProblem(manifest);
    if (problem !== undefined) problems.push(`${manifest.kind} ${manifest.metadata.name}: ${problem}`);
  }
  const known = manifests.filter((manifest) => moduleOf(manifest) !== undefined);
  return [...problems, ...typeProblems(known)];
}

function moduleOf({ apiVersion, kind }: Manifest): string | undefined {
  const from = packages[apiVersion];
  return from && `${from}/${apiVersion}/${kind}`;
}

async function schemaProblem(manifest: Manifest): Promise<string | undefined> {
  const module = moduleOf(manifest);
  if (module === undefined) return `${manifest.apiVersion} ${manifest.kind} is no kind that is known here`;
  const Kind = ((await import(module)) as Readonly<Record<string, unknown>>)[manifest.kind] as new (
    data: unknown,
  ) => { validate(): void };
  try {
    new Kind(manifest).validate();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Fields that the operator has come to know since these types were made; later ones are for Node 22 and above. */
const newer = ['keep_firing_for'];

function withoutNewer(key: string, value: unknown): unknown {
  return newer.includes(key) ? undefined : value;
}

/** The schemas let unknown fields pass, as a misspelt one is; TypeScript does not, in a literal of the kind's type. */
function typeProblems(manifests: readonly Manifest[]): string[] {
  const file = resolve('manifests.ts');
  const text = manifests
    .map((manifest) => {
      const type = `import('${moduleOf(manifest)}').I${manifest.kind}`;
      return `export const m${manifests.indexOf(manifest)}: ${type} = ${JSON.stringify(manifest, withoutNewer)};`;
    })
    .join('\n');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === file || fileExists(path);
  host.getSourceFile = (path, language) =>
    path === file ? ts.createSourceFile(path, text, language) : getSourceFile(path, language);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText, start = 0 }) => {
    const { kind, metadata } = manifests[text.slice(0, start).split('\n').length - 1]!;
    return `${kind} ${metadata.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
