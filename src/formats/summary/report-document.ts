import { isObject } from '../../scoring/json.ts';
import type { RecordCounts } from '../../view/summary.ts';
import { historyMetrics } from './history.ts';
import { groupsMax, type LiveDocument, type ValueGroups, type ValueHistory, type ValuePoint } from './live-document.ts';
import { liveGroup, sliceId, valueAt } from './live-group.ts';
import type { PlainGroup } from './summary-document.ts';
import type { WrongEvent } from './wrong-arguments.ts';

/** The input of a report: the groups of one time. */
export interface ReportInput {
  /** Undefined where nothing was read. */
  readonly asOfMs: number | undefined;
  readonly groups: readonly PlainGroup[];
  /** The circumstances of a summary; a snapshot has none. */
  readonly about: ReportAbout | undefined;
}

export interface ReportAbout extends Pick<LiveDocument, 'version' | 'mode' | 'config_hash' | 'truth'> {
  readonly records: RecordCounts;
  /** Absent in summaries of older releases. */
  readonly coverage?: LiveDocument['coverage'];
  readonly input?: LiveDocument['input'];
  readonly watches?: LiveDocument['watches'];
  readonly incidents?: LiveDocument['incidents'];
  readonly suspects?: LiveDocument['suspects'];
  readonly wrong_arguments?: readonly WrongEvent[];
}

/** Groups of each set of dimensions that have a history. */
const historyGroupsMax = 12;

/** The data of a report: the groups of the last input, and the history over all of them. Inputs in order of time, at least one. */
export function reportDocument(inputs: readonly ReportInput[], madeMs: number): LiveDocument {
  const { asOfMs, groups, about } = inputs.at(-1)!;
  const all = new Map(groups.filter(({ window }) => window === 'all').map((group) => [sliceId(group.slice), group]));
  const listed = listedIds(groups, groupsMax);
  const shown = groups.filter(({ slice }) => listed.has(sliceId(slice)));
  const history = inputs.length > 1 ? historyOf(inputs, listedIds(groups, historyGroupsMax)) : null;
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
    coverage: about?.coverage ?? null,
    input: about?.input ?? [],
    sets: [...new Set(groups.map(setOf))].filter((set) => set !== ''),
    windows: [...new Set(['all', ...groups.map(({ window }) => window)])],
    shown: null,
    groups: shown.map((group) => {
      const made = liveGroup(group, all.get(sliceId(group.slice)) ?? group, ofSlice(about, group.slice));
      // The numbers of `all` alone are not repeated for each window.
      return group.window === 'all'
        ? made
        : { ...made, detail: { ...made.detail!, stability: null, worst: null, wrong: [] } };
    }),
    groups_left_out: all.size - listed.size,
    windows_counts: [],
    watches: about?.watches?.filter(({ firing }) => firing) ?? [],
    incidents: about?.incidents ?? [],
    watching: null,
    service: null,
    history,
    failures: [],
    kept: null,
    suspects: about?.suspects ?? [],
  };
}

function ofSlice(about: ReportAbout | undefined, slice: PlainGroup['slice']): WrongEvent[] {
  const dimensions = Object.entries(slice);
  return (about?.wrong_arguments ?? []).filter((event) =>
    dimensions.every(([dimension, value]) => event.slice[dimension] === value),
  );
}

function setOf({ slice }: PlainGroup): string {
  return Object.keys(slice).join();
}

/** Ids of the groups of each set with the most decisions; the total is a set of its own. */
function listedIds(groups: readonly PlainGroup[], most: number): ReadonlySet<string> {
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

function decisions(group: PlainGroup): number {
  const n = valueAt(group, 'decision.n');
  return typeof n === 'number' ? n : 0;
}

function historyOf(inputs: readonly ReportInput[], ids: ReadonlySet<string>): ValueHistory {
  const byKey = inputs.map(
    ({ groups }) => new Map(groups.map((group) => [`${group.window} ${sliceId(group.slice)}`, group])),
  );
  const valuesOf = (key: string): ValueGroups[string] =>
    Object.fromEntries(historyMetrics.map(({ path }) => [path, byKey.map((groups) => pointOf(groups.get(key), path))]));
  const windows = [...new Set(inputs.flatMap(({ groups }) => groups.map(({ window }) => window)))];
  const groupsOf = (window: string): ValueGroups => {
    const present = [...ids].filter((id) => byKey.some((groups) => groups.has(`${window} ${id}`)));
    return Object.fromEntries(present.map((id) => [id, valuesOf(`${window} ${id}`)]));
  };
  return {
    kind: 'values',
    at: inputs.map(({ asOfMs }) => asOfMs ?? 0),
    windows: Object.fromEntries(windows.map((window) => [window, groupsOf(window)])),
  };
}

/** Four decimals are more than a chart can show. Null where the group was not there. */
function pointOf(group: PlainGroup | undefined, path: string): ValuePoint {
  if (group === undefined) return null;
  const value = valueAt(group, path);
  const rounded = (number: unknown): number | null =>
    typeof number === 'number' ? Math.round(number * 1e4) / 1e4 : null;
  if (isObject(value)) return [rounded(value['value']), rounded(value['lower']), rounded(value['upper'])];
  return [rounded(value), null, null];
}
