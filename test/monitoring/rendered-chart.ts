import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { goProgram } from '../support/go-program.ts';
import { soak } from '../support/soak.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { installed, type Outcome, runCommand } from '../support/tools.ts';
import type { Manifest } from './kubernetes-types.ts';

// No package of Debian has it: where it is not installed, the soak builds it.
const helm = installed('helm') ?? (soak ? goProgram('helm.sh/helm/v3/cmd/helm', 'v3.16.4') : undefined);
/** Skips tests where helm is missing. */
export const options = { skip: helm === undefined && '*** helm is not installed ***' };

/** The container of a pod. */
export interface Container {
  readonly command?: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly envFrom?: unknown;
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string; readonly subPath?: string }[];
  readonly [probe: string]: unknown;
}

export interface PodSpec {
  readonly containers: readonly [Container];
  readonly volumes: readonly { readonly name: string; readonly [kind: string]: unknown }[];
  readonly [field: string]: unknown;
}

/** What a chart is rendered to. */
export interface Rendered {
  readonly manifests: readonly Manifest[];
  /** assay.yaml. */
  readonly config: Readonly<Record<string, Record<string, unknown>>>;
  readonly pod: PodSpec;
  readonly container: Container;
}

/** Renders a chart as release `assay` in namespace `evals`; helm may refuse the values. */
export async function helmRun(context: TestContext, values: object, chart = 'deploy/helm'): Promise<Outcome> {
  const file = join(temporaryFolder(context), 'values.yaml');
  writeFileSync(file, stringify(values));
  return await runCommand(helm!, ['template', 'assay', chart, '--namespace', 'evals', '-f', file]);
}

/** Renders the chart; helm must accept the values. */
export async function render(context: TestContext, values: object): Promise<Rendered> {
  const { status, stdout, stderr } = await helmRun(context, values);
  assert.equal(status, 0, stderr);
  const manifests = parseAllDocuments(stdout).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
  const { data } = one(manifests, 'ConfigMap') as unknown as { readonly data: Record<string, string> };
  const pod = templateOf(manifests).spec;
  return { manifests, config: parse(data['assay.yaml']!), pod, container: pod.containers[0] };
}

/** The first manifest of a kind. */
export function one(manifests: readonly Manifest[], kind: string): Manifest {
  return manifests.find((manifest) => manifest.kind === kind)!;
}

interface Template {
  readonly metadata: {
    readonly annotations: Readonly<Record<string, string>>;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly spec: PodSpec;
}

/** The pod of the StatefulSet. */
export function templateOf(manifests: readonly Manifest[]): Template {
  return (one(manifests, 'StatefulSet')['spec'] as { readonly template: Template }).template;
}

/** The ports of the Service, which are those of the container; probes ask that of metrics. */
export function portsOf(manifests: readonly Manifest[]): Record<string, number> {
  const container = templateOf(manifests).spec.containers[0];
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
    assert.equal((container[probe] as { httpGet: { port: string } }).httpGet.port, 'metrics');
  const own = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort]));
  const { ports } = one(manifests, 'Service')['spec'] as {
    ports: { name: string; port: number; targetPort: string }[];
  };
  assert.deepEqual(Object.fromEntries(ports.map(({ targetPort, port }) => [targetPort, port])), own);
  return own;
}

/** Where the volume of the state is mounted. */
export function foldersOf({ volumeMounts }: Container): Record<string, string> {
  const own = volumeMounts.filter(({ name }) => name === 'state');
  return Object.fromEntries(own.map(({ mountPath, subPath }) => [mountPath, subPath!]));
}

/** How many volumes a pod of the StatefulSet claims. */
export function claimsOf(manifests: readonly Manifest[]): number {
  const { volumeClaimTemplates: claims = [] } = one(manifests, 'StatefulSet')['spec'] as {
    readonly volumeClaimTemplates?: readonly unknown[];
  };
  return claims.length;
}

/** Ports that pods reach besides DNS. */
export function egressOf(manifests: readonly Manifest[]): number[] {
  const { egress } = one(manifests, 'NetworkPolicy')['spec'] as {
    readonly egress: readonly { readonly ports: readonly { readonly port: number }[] }[];
  };
  return egress.slice(1).flatMap(({ ports }) => ports.map(({ port }) => port));
}

/** The script that `helm test` has node run. */
export function readyCommand(manifests: readonly Manifest[]): string {
  return (one(manifests, 'Pod')['spec'] as PodSpec).containers[0].command!.at(-1)!;
}
