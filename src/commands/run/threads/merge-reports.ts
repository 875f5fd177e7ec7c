import type { Check } from '../../../adapters/http/routes.ts';
import type { Failure } from '../../../formats/summary/failure.ts';
import { byWeight, type Suspect } from '../../../formats/summary/suspect.ts';
import { jsonEqual, type Json } from '../../../scoring/json.ts';
import { eventsMax, isOfSlice, type Samples } from '../../../service/samples.ts';
import { shownMax } from '../../../service/suspects.ts';
import type { EventReports } from '../../../service/event-reports.ts';
import type { ThreadReport } from './messages.ts';

/** The reports of all threads on single events as one; `count`: failures that are given out together. */
export function reportsOfThreads(
  report: () => readonly ThreadReport[],
  count: number,
): Pick<EventReports, 'samples' | 'report'> {
  const samples: Samples = {
    add: () => undefined,
    latest: (slice, fits = () => true) =>
      newest(report().flatMap(({ failures }) => failures))
        .filter((failure) => isOfSlice(failure, slice) && fits(failure))
        .slice(0, count),
    all: () => newest(report().flatMap(({ failures }) => failures)),
    ofArguments: (slice) =>
      newest(report().flatMap(({ ofArguments }) => ofArguments)).filter((failure) => isOfSlice(failure, slice)),
    wrongArguments: () =>
      report()
        .flatMap(({ wrongArguments }) => wrongArguments)
        .slice(0, eventsMax),
  };
  return {
    samples,
    report: () => ({
      failures: samples.latest,
      suspects: mergedSuspects(report().flatMap(({ suspects }) => suspects)),
      wrongArguments: samples.wrongArguments(),
    }),
  };
}

/** One check of each name: not well where it is not in one of the threads. */
export function mergedChecks(all: readonly (readonly Check[])[]): readonly Check[] {
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

function newest(failures: readonly Failure[]): Failure[] {
  return [...failures].sort((a, b) => (a.ts < b.ts ? 1 : a.ts > b.ts ? -1 : 0));
}

/** An example whose predictions two threads score is one suspect where they agree on the answer. */
function mergedSuspects(suspects: readonly Suspect[]): readonly Suspect[] {
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
