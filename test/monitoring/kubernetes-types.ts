import { resolve } from 'node:path';
import ts from 'typescript';

/** A Kubernetes object. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly [field: string]: unknown;
}

interface Model {
  readonly module: string;
  readonly load: () => Promise<Readonly<Record<string, unknown>>>;
}

/** Validators and types of the kinds that the kit uses. */
const models: Readonly<Record<string, Model>> = {
  'apps/v1 StatefulSet': {
    module: 'kubernetes-models/apps/v1/StatefulSet',
    load: () => import('kubernetes-models/apps/v1/StatefulSet'),
  },
  'apps/v1 Deployment': {
    module: 'kubernetes-models/apps/v1/Deployment',
    load: () => import('kubernetes-models/apps/v1/Deployment'),
  },
  'v1 ConfigMap': { module: 'kubernetes-models/v1/ConfigMap', load: () => import('kubernetes-models/v1/ConfigMap') },
  'v1 PersistentVolumeClaim': {
    module: 'kubernetes-models/v1/PersistentVolumeClaim',
    load: () => import('kubernetes-models/v1/PersistentVolumeClaim'),
  },
  'v1 Service': { module: 'kubernetes-models/v1/Service', load: () => import('kubernetes-models/v1/Service') },
  'networking.k8s.io/v1 NetworkPolicy': {
    module: 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy',
    load: () => import('kubernetes-models/networking.k8s.io/v1/NetworkPolicy'),
  },
  'policy/v1 PodDisruptionBudget': {
    module: 'kubernetes-models/policy/v1/PodDisruptionBudget',
    load: () => import('kubernetes-models/policy/v1/PodDisruptionBudget'),
  },
  'monitoring.coreos.com/v1 ServiceMonitor': {
    module: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor',
    load: () => import('@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor'),
  },
  'monitoring.coreos.com/v1 PrometheusRule': {
    module: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule',
    load: () => import('@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule'),
  },
  'keda.sh/v1alpha1 ScaledObject': {
    module: '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject',
    load: () => import('@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject'),
  },
};

/** What a cluster would refuse: wrong and missing values by the schemas, and unknown fields by the types. */
export async function manifestProblems(manifests: readonly Manifest[]): Promise<string[]> {
  const problems: string[] = [];
  for (const manifest of manifests) {
    const problem = await schemaProblem(manifest);
    if (problem !== undefined) problems.push(`${manifest.kind} ${manifest.metadata.name}: ${problem}`);
  }
  const known = manifests.filter((manifest) => modelOf(manifest) !== undefined);
  return [...problems, ...typeProblems(known)];
}

function modelOf({ apiVersion, kind }: Manifest): Model | undefined {
  return models[`${apiVersion} ${kind}`];
}

async function schemaProblem(manifest: Manifest): Promise<string | undefined> {
  const model = modelOf(manifest);
  if (model === undefined) return `${manifest.apiVersion} ${manifest.kind} is no kind that is known here`;
  const Kind = (await model.load())[manifest.kind] as new (data: unknown) => { validate(): void };
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
      const type = `import('${modelOf(manifest)!.module}').I${manifest.kind}`;
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
