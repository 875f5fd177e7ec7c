import {
  beganWith,
  changeOf,
  type GroupIncident,
  isMeanwhile,
  keyOf,
  usualOf,
  type WatchedAlarm,
} from './group-incidents.ts';
import type { Carrier, WatchAlarm } from './summary.ts';

/** Share of its change from which an alarm is explained, by chance less, and one that began with such an alarm of its group. */
const explainedFrom = 0.8;
const alsoFrom = 0.5;
/** Standard deviations by which a share may be less by chance: of few cases, one bad one of others is much. */
const chanceOfShare = 2;
/** Share of the change of all other cases from which a group carries more than its size. */
const beyondFrom = 0.5;
/** Standard deviations up to which a part of a group is no worse than the group. */
const chanceMost = 3;

/** The incidents that explain each one alone. A group whose change others carry explains only what one of these explains. */
export function explainersIn(
  incidents: readonly GroupIncident[],
  byGroup: ReadonlyMap<string, readonly GroupIncident[]>,
): ReadonlyMap<GroupIncident, readonly GroupIncident[]> {
  const carriers = new Map(incidents.map((incident) => [incident, explainersOf(incident, byGroup, carriedShare)]));
  const parts = new Map(incidents.map((incident) => [incident, partsOf(incident, byGroup)]));
  return new Map(
    incidents.map((incident) => {
      const all = explainersOf(incident, byGroup, explainedShare);
      const explains = (other: GroupIncident): boolean => {
        const alone = carriers.get(other)!;
        const by = alone.length > 0 ? alone : parts.get(other)!;
        return by.length === 0 || alone.includes(incident) || by.some((carrier) => all.includes(carrier));
      };
      return [incident, all.filter(explains)];
    }),
  );
}

/** The incidents of several groups of one set that explain all alarms of another group together; none where they do not. */
export function partsOf(
  incident: GroupIncident,
  byGroup: ReadonlyMap<string, readonly GroupIncident[]>,
): GroupIncident[] {
  const carriers = incident.alarms.flatMap(({ alarm }) => alarm.carriers ?? []);
  for (const set of new Set(carriers.map(({ dimensions }) => dimensions.join('\0')))) {
    const keys = new Set(carriers.filter(({ dimensions }) => dimensions.join('\0') === set).map(keyOf));
    const parts = [...keys].flatMap((key) => meanwhile(incident, key, byGroup) ?? []);
    const together = incident.alarms.map(({ alarm }) => {
      const of = parts.flatMap((part) => carrierOf(alarm, part) ?? []);
      const sum = { share: sumOf(of, 'share'), size: sumOf(of, 'size') };
      return { share: isBeyondSize(sum) ? sum.share : 0, deviation: 0 };
    });
    if (parts.length > 1 && isEnough(together)) return parts;
  }
  return [];
}

/** The incidents of other groups that explain all alarms of one, and one of them for the greater part. */
function explainersOf(
  incident: GroupIncident,
  byGroup: ReadonlyMap<string, readonly GroupIncident[]>,
  shareOf: (one: WatchedAlarm, other: GroupIncident) => Share,
): GroupIncident[] {
  const keys = new Set([
    ...subsetKeys(incident),
    ...incident.alarms.flatMap(({ alarm }) => (alarm.carriers ?? []).map(keyOf)),
  ]);
  return [...keys].flatMap((key) => {
    const other = meanwhile(incident, key, byGroup);
    if (other === undefined) return [];
    return isEnough(incident.alarms.map((alarm) => shareOf(alarm, other))) ? [other] : [];
  });
}

/** The incident of another group that goes on meanwhile: one that began with an incident before others. */
function meanwhile(
  incident: GroupIncident,
  key: string,
  byGroup: ReadonlyMap<string, readonly GroupIncident[]>,
): GroupIncident | undefined {
  if (key === keyOf(incident)) return undefined;
  const others = (byGroup.get(key) ?? []).filter((other) => isMeanwhile(other, incident));
  return others.find((one) => beganWith(one, incident)) ?? others.at(-1);
}

/** Share of the change of an alarm, and its standard deviation. */
type Share = Pick<Carrier, 'share' | 'deviation'>;

const noShare: Share = { share: 0, deviation: 0 };

/** Returns whether these shares of the changes of an incident's alarms explain the incident. */
function isEnough(shares: readonly Share[]): boolean {
  return (
    shares.every(({ share }) => share >= alsoFrom) &&
    shares.some(({ share, deviation }) => share + chanceOfShare * deviation >= explainedFrom)
  );
}

/** Share of the change of an alarm that another group explains. */
function explainedShare(one: WatchedAlarm, other: GroupIncident): Share {
  const { reading, alarm } = one;
  const carrier = carrierOf(alarm, other);
  const ofWhole = (most: number): Share => ({ share: Math.min(most, shareOfWhole(one, other)), deviation: 0 });
  if (carrier !== undefined) return isBeyondSize(carrier) ? carrier : ofWhole(carrier.share);
  const isWithin = other.dimensions.every((dimension) => reading.dimensions.includes(dimension));
  return isWithin ? ofWhole(Number.POSITIVE_INFINITY) : noShare;
}

/** Share of the change of an alarm that another group carries; 0 where that is due to its size. */
function carriedShare({ alarm }: WatchedAlarm, other: GroupIncident): Share {
  const carrier = carrierOf(alarm, other);
  return carrier !== undefined && isBeyondSize(carrier) ? carrier : noShare;
}

/** Share of the change of an alarm that a group with all its cases explains: all where it is no worse than the whole. */
function shareOfWhole(one: WatchedAlarm, other: GroupIncident): number {
  const { reading, alarm } = one;
  const same = other.alarms.find((whole) => whole.reading.watch === reading.watch);
  if (same === undefined) return 0;
  const whole = changeOf(same);
  const expected = Math.min(1, usualOf(reading) + Math.max(0, whole));
  const deviation = Math.sqrt(alarm.n * expected * (1 - expected));
  return alarm.bad - alarm.n * expected <= chanceMost * deviation ? 1 : whole / changeOf(one);
}

function carrierOf(alarm: WatchAlarm, { dimensions, values }: GroupIncident): Carrier | undefined {
  const key = keyOf({ dimensions, values });
  return alarm.carriers?.find((carrier) => keyOf(carrier) === key);
}

/** A group with nearly all cases carries nearly all of any change: that alone explains nothing. */
function isBeyondSize({ share, size }: Pick<Carrier, 'share' | 'size'>): boolean {
  return share - size >= beyondFrom * (1 - size) && size < 1;
}

function sumOf(carriers: readonly Carrier[], of: 'share' | 'size'): number {
  return carriers.reduce((sum, carrier) => sum + carrier[of], 0);
}

/** Keys of the groups that hold all of a group. */
function subsetKeys({ dimensions, values }: GroupIncident): string[] {
  return Array.from({ length: 2 ** dimensions.length - 1 }, (_, set) => {
    const isIn = (_one: string, at: number): boolean => (set & (1 << at)) !== 0;
    return keyOf({ dimensions: dimensions.filter(isIn), values: values.filter(isIn) });
  });
}
