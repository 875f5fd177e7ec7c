/** Settings that shape the state, as texts by key. */
type Texts = Readonly<Record<string, string>>;

/** The effect of other settings on a state (docs/reference/semantics.md, "Changed settings"). */
export interface SettingsChange {
  /** Keys that make its numbers others: what was counted and what will be counted do not add up. */
  readonly refused: readonly string[];
  /** Families with more input than before, so that they begin anew. */
  readonly anew: ReadonlySet<string>;
}

/** Horizons and bounds that hold for what comes, and what the state is laid out by: it goes on. */
const free = [
  'join.truth_wait',
  'feedback.wait',
  'dedupe.window',
  'runs.end',
  'runs.idle',
  'runs.steps',
  'time.windows',
  'slices',
  ...[
    'pending',
    'open_runs',
    'revisable',
    'dedupe_ids',
    'stability_groups',
    'slices',
    'names',
    'breakdowns',
    'blames',
  ].map((name) => `limits.${name}`),
];

const outcomes = 'feedback.outcomes.';

/** Compares the settings of a state with those of now. */
export function settingsChange(saved: Texts, present: Texts): SettingsChange {
  const keys = [...new Set([...Object.keys(saved), ...Object.keys(present)])];
  const changed = keys.filter((key) => saved[key] !== present[key] && !free.includes(key));
  const isKept = (family: string): boolean => [saved, present].every((texts) => isEnabled(texts, family));
  const anew = new Set<string>();
  const refused = changed.filter((key) => {
    const family = familyOf(key);
    if (family === undefined) return true;
    // A run succeeds by the mode of trajectories, whether or not those are reported.
    if (key === 'metrics.trajectory.mode' && isKept('stability')) return true;
    if (!isKept(family)) return false;
    if (!isUnset(saved[key])) return true;
    anew.add(family);
    return false;
  });
  return { refused, anew };
}

/** `metrics.match.rules` -> `match` */
function familyOf(key: string): string | undefined {
  if (key.startsWith(outcomes)) return 'outcome';
  const [section, family, option] = key.split('.');
  return section === 'metrics' && option !== undefined ? family : undefined;
}

/** A family that has no such key is one of judgements, which are read; that of outcomes is there where some are named. */
function isEnabled(texts: Texts, family: string): boolean {
  if (family === 'outcome') return Object.keys(texts).some((key) => key.startsWith(outcomes));
  return texts[`metrics.${family}.enabled`] !== 'false';
}

function isUnset(text: string | undefined): boolean {
  return text === undefined || text === '[]';
}
