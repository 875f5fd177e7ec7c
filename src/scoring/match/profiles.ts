import { type ArgumentsMode, turnedMode } from './differences.ts';
import type { MatchOptions } from './index.ts';

/** The values of `metrics.match.profile`: the systems, and their modes, whose verdicts it gives. */
export const profileNames = [
  ...(['bfcl', 'agentevals.strict', 'agentevals.unordered', 'agentevals.subset', 'agentevals.superset'] as const),
  ...(['adk.exact', 'adk.in_order', 'adk.any_order'] as const),
] as const;
export type ProfileName = (typeof profileNames)[number];

/** The settings that a profile stands for; the mode of arguments is chosen beside it, but for `bfcl`. */
type Settings = Omit<MatchOptions, 'arguments' | 'overrides' | 'forbidden'>;

/** As the words say, and what is equal in Python is equal. */
const python: Settings = {
  order: 'any',
  extraCalls: 'wrong',
  missingCalls: 'wrong',
  defaults: false,
  rules: { '*': { '*': {} } },
  dialect: 'python',
};

const settings: Readonly<Record<ProfileName, Settings>> = {
  bfcl: { ...python, greedy: 'expected', rules: {}, dialect: 'bfcl' },
  'agentevals.strict': { ...python, greedy: 'predicted' },
  'agentevals.unordered': { ...python, greedy: 'both' },
  'agentevals.subset': { ...python, greedy: 'predicted', missingCalls: 'allowed' },
  'agentevals.superset': { ...python, greedy: 'expected', extraCalls: 'allowed' },
  'adk.exact': { ...python, order: 'exact' },
  'adk.in_order': { ...python, order: 'in_order', extraCalls: 'allowed' },
  'adk.any_order': { ...python, extraCalls: 'allowed' },
};

/** Modes of arguments by which agentevals compares, and those that hold for single tools: a mode, or the paths that count. */
export interface ProfileArguments {
  readonly arguments: ArgumentsMode;
  readonly overrides: Readonly<Record<string, ArgumentsMode>>;
}

/** The options of a profile (docs/reference/matching.md, "Profiles"). */
export function profileOptions(name: ProfileName, chosen: ProfileArguments): Omit<MatchOptions, 'forbidden'> {
  // Its subset looks from the predicted calls for expected ones, and so do its modes.
  const mode = name === 'agentevals.subset' ? turnedMode : (given: ArgumentsMode): ArgumentsMode => given;
  const overrides = Object.entries(chosen.overrides).map(([tool, given]) => [tool, mode(given)] as const);
  return { ...settings[name], arguments: mode(chosen.arguments), overrides: Object.fromEntries(overrides) };
}
