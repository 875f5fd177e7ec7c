import type { RuleFile } from './rule.ts';

/** A file of rules as a PrometheusRule, for the Prometheus Operator. */
export function customResource({ name, groups }: RuleFile): Readonly<Record<string, unknown>> {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name, labels: { 'app.kubernetes.io/name': 'assay' } },
    spec: { groups },
  };
}
