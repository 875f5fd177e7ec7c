import { sliceId } from '../../src/formats/summary/live-group.ts';
import type { PlainIncident } from '../../src/formats/summary/incident-document.ts';
import type { PlainWatch } from '../../src/formats/summary/watch-document.ts';
import { getOrPut } from '../../src/state/containers/get-or-put.ts';

/** The incidents that go on, and the rates that fire. */
export interface Firing {
  /** Incidents that go on, the newest first. */
  readonly incidents: readonly PlainIncident[];
  /** Paths of the rates that fire, by id of the group. */
  readonly paths: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Reads them from the document of the page. */
export function firingOf(
  incidents: readonly PlainIncident[],
  watches: readonly Pick<PlainWatch, 'watch' | 'slice' | 'firing'>[],
): Firing {
  const paths = new Map<string, Set<string>>();
  for (const { watch, slice, firing } of watches)
    if (firing) getOrPut(paths, sliceId(slice), () => new Set<string>()).add(watch);
  return { incidents: incidents.filter(({ end }) => end === null).reverse(), paths };
}
