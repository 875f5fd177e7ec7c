import { budgetGroup, modelAlertGroup } from './model-alerts.ts';
import { programAlertGroup } from './program-alerts.ts';
import { scoringGroups } from './scoring-rules.ts';
import type { Links } from './settings.ts';
import { windowGroup } from './window-rules.ts';

/** Evaluates `expr` every interval of its group and stores the result under a name level:metric:operations. */
export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: Readonly<Record<string, string>> & { readonly severity: 'critical' | 'warning' };
  readonly annotations: Annotations;
}

export interface Annotations {
  /** A fixed sentence: what is the matter. */
  readonly summary: string;
  /** With the labels and numbers of this alert. */
  readonly description: string;
  readonly runbook_url: string;
  readonly dashboard_url: string;
}

export type Rule = RecordingRule | AlertRule;

export interface RuleGroup {
  readonly name: string;
  readonly interval: string;
  readonly rules: readonly Rule[];
}

/** A file of rules for Prometheus, and a PrometheusRule of the same name. */
export interface RuleFile {
  readonly name: string;
  readonly comment: string;
  readonly groups: readonly RuleGroup[];
}

/** Every rule. A group reads what the groups above it record. */
export function ruleFiles(links: Links): readonly RuleFile[] {
  return [
    {
      name: 'assay-budgets',
      comment: 'What a team allows: the one file to edit for an installation.',
      groups: [budgetGroup()],
    },
    {
      name: 'assay-scores',
      comment:
        'Scores by time of scoring (from counters) and by event time (from the window gauges), over all instances.',
      groups: [...scoringGroups(), windowGroup()],
    },
    {
      name: 'assay-alerts',
      comment: 'Alerts on hallucination budgets, on quality, and on the program itself.',
      groups: [modelAlertGroup(links), programAlertGroup(links)],
    },
  ];
}

/** The alerts among the rules, in their order. */
export function alertsOf(files: readonly RuleFile[]): AlertRule[] {
  return files.flatMap(({ groups }) => groups.flatMap(({ rules }) => rules.filter((rule) => 'alert' in rule)));
}

/** The recording rules among the rules, in their order. */
export function recordsOf(files: readonly RuleFile[]): RecordingRule[] {
  return files.flatMap(({ groups }) => groups.flatMap(({ rules }) => rules.filter((rule) => 'record' in rule)));
}
