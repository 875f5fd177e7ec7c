import type { RecordingRule, AlertRule, RuleFile } from './rule.ts';
import { budgetGroup, modelAlertGroup } from './model-alerts.ts';
import { programAlertGroup } from './program-alerts.ts';
import { scoringGroups } from './scoring-rules.ts';
import type { Links } from './settings.ts';
import { watchAlertGroups } from './watch-alerts.ts';
import { windowGroup } from './window-rules.ts';

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
      comment: 'Alerts on watches, on hallucination budgets, on quality, and on the program itself.',
      groups: [...watchAlertGroups(links), modelAlertGroup(links), programAlertGroup(links)],
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
