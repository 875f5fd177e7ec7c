import { getOrPut } from '../../state/containers/get-or-put.ts';
import { isObject } from '../../scoring/json.ts';
import type { RecordCounts } from '../../view/summary.ts';
import { historyMetrics } from './history.ts';
import { groupsMax, type LiveDocument, type ValueHistory, type ValuePoint } from './live-document.ts';
import { liveGroup, type PlainGroup, sliceId } from './live-group.ts';

/** What a report is made of: the groups of one time. */
export interface ReportInput {
  /** Undefined where nothing was read. */
  readonly asOfMs: number | undefined;
  readonly groups: readonly PlainGroup[];
  /** What a summary says besides; a snapshot says nothing. */
  readonly about: ReportAbout | undefined;
}

export interface ReportAbout extends Pick<LiveDocument, 'version' | 'mode' | 'config_hash' | 'truth'> {
  readonly records: RecordCounts;
}

/** Groups of each set of dimensions that have a history. */
const historyGroupsMax = 12;

/** The data of a report: the groups of the last input, and the history over all of them. Inputs in order of time, at least one. */
export function reportDocument(inputs: readonly ReportInput[], madeMs: number): LiveDocument {
  const { asOfMs, groups, about } = inputs.at(-1)!;
  const all = new Map(groups.filter(({ window }) => window === 'all').map((group) => [sliceId(group.slice), group]));
  const kept = keptIds(groups, groupsMax);
  const shown = groups.filter(({ slice }) => kept.has(sliceId(slice)));
  const history = inputs.length > 1 ? historyOf(inputs, keptIds(groups, historyGroupsMax)) : null;
  return {
    format: 'assay.live/2',
    version: about?.version ?? '',
    mode: about?.mode ?? '',
    config_hash: about?.config_hash ?? '',
    z: 0,
    as_of: asOfMs === undefined ? null : new Date(asOfMs).toISOString(),
    at: new Date(madeMs).toISOString(),
    truth: about?.truth ?? null,
    records: about?.records ?? null,
    sets: [...new Set(groups.map(setOf))].filter((set) => set !== ''),
    windows: [...new Set(['all', ...groups.map(({ window }) => window)])],
    shown: null,
    groups: shown.map((group) => {
      const made = liveGroup(group, all.get(sliceId(group.slice)) ?? group, true);
      // What is known of `all` only is not told again for each window.
      return group.window === 'all' ? made : { ...made, detail: { ...made.detail!, stability: null, worst: null } };
    }),
    groups_left_out: all.size - kept.size,
    windows_counts: [],
    service: null,
    history,
    failures: [],
  };
}

function setOf({ slice }: PlainGroup): string {
  return Object.keys(slice).join();
}

/** Ids of the groups of each set with the most decisions; the total is a set of its own. */
function keptIds(groups: readonly PlainGroup[], most: number): ReadonlySet<string> {
  const inAll = groups.filter(({ window }) => window === 'all');
  return new Set(
    [...new Set(inAll.map(setOf))].flatMap((set) =>
      inAll
        .filter((group) => setOf(group) === set)
        .sort((a, b) => decisions(b) - decisions(a))
        .slice(0, most)
        .map(({ slice }) => sliceId(slice)),
    ),
  );
}

function decisions({ decision }: PlainGroup): number {
  const n = isObject(decision) ? decision['n'] : 0;
  return typeof n === 'number' ? n : 0;
}

function historyOf(inputs: readonly ReportInput[], ids: ReadonlySet<string>): ValueHistory {
  const windows = new Map<string, Map<string, Map<string, ValuePoint[]>>>();
  inputs.forEach(({ groups }, at) => {
    for (const group of groups) {
      const id = sliceId(group.slice);
      if (!ids.has(id)) continue;
      const ofWindow = getOrPut(windows, group.window, () => new Map<string, Map<string, ValuePoint[]>>());
      const ofGroup = getOrPut(ofWindow, id, () => new Map<string, ValuePoint[]>());
      for (const { path } of historyMetrics)
        getOrPut(ofGroup, path, () => new Array<ValuePoint>(inputs.length).fill(null))[at] = pointOf(group, path);
    }
  });
  return { kind: 'values', at: inputs.map(({ asOfMs }) => asOfMs ?? 0), windows: plain(windows) };
}

/** Four decimals are more than a chart can show. */
function pointOf(group: PlainGroup, path: string): ValuePoint {
  const [family, key] = path.split('.') as [string, string];
  const block = group[family];
  const value = isObject(block) ? block[key] : undefined;
  const rounded = (number: unknown): number | null =>
    typeof number === 'number' ? Math.round(number * 1e4) / 1e4 : null;
  if (isObject(value)) return [rounded(value['value']), rounded(value['lower']), rounded(value['upper'])];
  return [rounded(value), null, null];
}

function plain(
  windows: ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, ValuePoint[]>>>,
): ValueHistory['windows'] {
  return Object.fromEntries(
    [...windows].map(([window, groups]) => [
      window,
      Object.fromEntries([...groups].map(([id, paths]) => [id, Object.fromEntries(paths)])),
    ]),
  );
}
