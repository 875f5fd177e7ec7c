import type { Check } from '../adapters/http/routes.ts';
import { byWeight, type Suspect } from '../formats/summary/suspect.ts';
import { jsonEqual, type Json } from '../scoring/json.ts';
import { shownMax } from './suspects.ts';

/** One check of each name: not well where it is not in one of the scorers. */
export function mergedChecks(all: readonly (readonly Check[])[]): readonly Check[] {
  if (all.length === 1) return all[0]!;
  const names = [...new Set(all.flatMap((checks) => checks.map(({ name }) => name)))];
  return names.map((name) => {
    const found = all.flatMap((checks, at) =>
      checks.filter((check) => check.name === name).map((check) => ({ at, check })),
    );
    const bad = found.filter(({ check }) => !check.ok);
    const shown = bad.length > 0 ? bad : found;
    const details = shown.map(({ at, check }) => `thread ${at + 1}: ${check.detail}`);
    const isSame = bad.length === 0 && new Set(found.map(({ check }) => check.detail)).size === 1;
    return {
      name,
      ok: bad.length === 0,
      detail: isSame ? `${found[0]!.check.detail} (each thread)` : details.join('; '),
    };
  });
}

/** An example whose predictions two scorers have scored is one suspect where they agree on the answer. */
export function mergedSuspects(suspects: readonly Suspect[]): readonly Suspect[] {
  const merged: Suspect[] = [];
  for (const suspect of suspects) {
    const at = merged.findIndex(
      ({ example_id, said }) => example_id === suspect.example_id && isSame(said, suspect.said),
    );
    if (at < 0) merged.push(suspect);
    else merged[at] = together(merged[at]!, suspect);
  }
  return merged.sort(byWeight).slice(0, shownMax);
}

function isSame(a: Suspect['said'], b: Suspect['said']): boolean {
  return jsonEqual(a as unknown as Json, b as unknown as Json);
}

function together(one: Suspect, other: Suspect): Suspect {
  return {
    ...one,
    models: [...new Set([...one.models, ...other.models])].sort(),
    of_models: Math.max(one.of_models, other.of_models),
    events: one.events + other.events,
    right_models: Math.max(one.right_models, other.right_models),
    judges: [...new Set([...one.judges, ...other.judges])].sort(),
  };
}
