import type { Rule, RuleGroup } from '../../packages/monitoring/rule.ts';

/**
 * Rules whose time runs `factor` times as fast: windows, times to hold and multiples of seconds are divided, and every group is evaluated once
 * a second. Names stay: `rate5m` is then over 300 / factor seconds. With factor 30 an hour lasts two minutes.
 */
export function scaledGroups(groups: readonly RuleGroup[], factor: number): RuleGroup[] {
  const interval = '1s';
  return groups.map(({ name, rules }) => ({
    name,
    interval,
    rules: rules.map((rule) => scaled(rule, factor)),
  }));
}

function scaled(rule: Rule, factor: number): Rule {
  const expr = rule.expr
    .replace(/\[(\d+)([smhd])\]/g, (_, amount: string, unit: string) => `[${scaledDuration(amount, unit, factor)}]`)
    // Rates times seconds, and sums of recorded rates times their interval.
    .replace(/\* (\d+)$/, (_, seconds: string) => `* ${Number(seconds) / factor}`);
  if (!('alert' in rule)) return { ...rule, expr };
  const time = (text: string): string => {
    const [, amount, unit] = /^(\d+)([smhd])$/.exec(text)!;
    return scaledDuration(amount!, unit!, factor);
  };
  const { keep_firing_for: kept } = rule;
  return { ...rule, expr, for: time(rule.for), ...(kept && { keep_firing_for: time(kept) }) };
}

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

function scaledDuration(amount: string, unit: string, factor: number): string {
  return `${Math.max(1, Math.round((Number(amount) * seconds[unit]!) / factor))}s`;
}
