import type { Stability } from '../../scoring/stability/index.ts';

/**
 * How a group's runs lie in its row of doubles. A row starts with the columns of `column`; what follows depends on the form.
 *
 * A run is a code of 4 bits, 1 + 5 * verdict + label, so that 0 means "not there". A *home* is where a group's counts lie:
 * 4 * slice + gold, of its lowest run; without a gold label -4 * (slice + 1).
 */
export const column = { lastTs: 0, ignored: 1, held: 2 } as const;
const ownColumns = 3;

/** A layout of k runs. Functions take a row as the chunk that holds it and the index of its first value. */
export interface RunLayout {
  readonly values: number;
  /** Where a run would be held; -1: it is ignored. */
  slotFor(cells: Float64Array, at: number, run: number): number;
  /** Takes a run in, held at its slot or ignored (slot -1). The caller keeps `column.lastTs` and, after this, `column.ignored`. */
  receive(cells: Float64Array, at: number, slot: number, run: number, home: number, code: number): void;
  /** Returns whether a group that received a run has something of one of that index: it is held, or gives the home. */
  has(cells: Float64Array, at: number, run: number): boolean;
  /** Gives a run that the group has another home and code. */
  revise(cells: Float64Array, at: number, run: number, home: number, code: number): void;
  /** Takes out a run that the group has; a group that holds none then has the home given. */
  remove(cells: Float64Array, at: number, run: number, home: number): void;
  /** Home of a group that received a run. */
  home(cells: Float64Array, at: number): number;
  /** Code of the i-th run in run order, of a complete group. */
  code(cells: Float64Array, at: number, index: number): number;
  /** Gives the slices of its homes other codes. */
  move(cells: Float64Array, at: number, codeOf: (slice: number) => number): void;
}

/** `closed`: runs 0..k-1, and nothing after them. `rolling`: the k highest run indices. */
export function runLayout(form: Stability['form'], k: number): RunLayout {
  return form === 'closed' ? closedRuns(k) : rollingRuns(k);
}

/**
 * Runs 0..k-1 by their own index, eight in a double (the 32 bits that bit operations reach). The home is that of the lowest run
 * received; it is the lowest held as soon as one is, since what is ignored is k or more, or repeats a run.
 */
function closedRuns(k: number): RunLayout {
  const homeAt = ownColumns;
  const lowestAt = ownColumns + 1;
  const runsAt = ownColumns + 2;
  const codeAt = (cells: Float64Array, at: number, index: number): number =>
    (cells[at + runsAt + (index >> 3)]! >>> (4 * (index & 7))) & 15;
  return {
    values: runsAt + Math.ceil(k / 8),
    slotFor: (cells, at, run) => (run < k && codeAt(cells, at, run) === 0 ? run : -1),
    receive(cells, at, slot, run, home, code) {
      const first = cells[at + column.held] === 0 && cells[at + column.ignored] === 0;
      if (first || run < cells[at + lowestAt]!) {
        cells[at + lowestAt] = run;
        cells[at + homeAt] = home;
      }
      if (slot < 0) return;
      cells[at + column.held]! += 1;
      cells[at + runsAt + (slot >> 3)]! += code * 2 ** (4 * (slot & 7));
    },
    has: (cells, at, run) => run === cells[at + lowestAt] || (run < k && codeAt(cells, at, run) > 0),
    revise(cells, at, run, home, code) {
      if (run === cells[at + lowestAt]) cells[at + homeAt] = home;
      if (run < k) cells[at + runsAt + (run >> 3)]! += (code - codeAt(cells, at, run)) * 2 ** (4 * (run & 7));
    },
    remove(cells, at, run, home) {
      const code = codeAt(cells, at, run);
      if (run < k && code > 0) {
        cells[at + runsAt + (run >> 3)]! -= code * 2 ** (4 * (run & 7));
        cells[at + column.held]! -= 1;
      }
      if (run !== cells[at + lowestAt]) return;
      // The others are of the same example: what gave the home of the lowest gives theirs.
      const next = Array.from({ length: k }, (_, index) => index).find((index) => codeAt(cells, at, index) > 0);
      cells[at + lowestAt] = next ?? Number.POSITIVE_INFINITY;
      if (next === undefined) cells[at + homeAt] = home;
    },
    home: (cells, at) => cells[at + homeAt]!,
    code: codeAt,
    move(cells, at, codeOf) {
      cells[at + homeAt] = movedHome(cells[at + homeAt]!, codeOf);
    },
  };
}

/**
 * The k highest run indices, ascending, then for each 16 * home + code. The lowest run is the lowest held: when the window of runs
 * moves on, the group follows the tags and the gold of what it holds.
 */
function rollingRuns(k: number): RunLayout {
  const runsAt = ownColumns;
  const infosAt = ownColumns + k;
  const slotOf = (cells: Float64Array, at: number, run: number): number => {
    let slot = cells[at + column.held]! - 1;
    while (slot >= 0 && cells[at + runsAt + slot] !== run) slot--;
    return slot;
  };
  return {
    values: ownColumns + 2 * k,
    /** Number of held runs below; the lowest makes room when all k are held. */
    slotFor(cells, at, run) {
      const held = cells[at + column.held]!;
      let slot = held;
      while (slot > 0 && cells[at + runsAt + slot - 1]! > run) slot--;
      const repeated = slot > 0 && cells[at + runsAt + slot - 1] === run;
      return repeated || (slot === 0 && held === k) ? -1 : slot;
    },
    receive(cells, at, slot, run, home, code) {
      if (slot < 0) return;
      const held = cells[at + column.held]!;
      insert(cells, at + runsAt, held, k, slot, run);
      insert(cells, at + infosAt, held, k, slot, 16 * home + code);
      if (held < k) cells[at + column.held] = held + 1;
    },
    has: (cells, at, run) => slotOf(cells, at, run) >= 0,
    revise: (cells, at, run, home, code) => void (cells[at + infosAt + slotOf(cells, at, run)] = 16 * home + code),
    remove(cells, at, run, home) {
      const held = cells[at + column.held]!;
      for (const from of [at + runsAt, at + infosAt])
        cells.copyWithin(from + slotOf(cells, at, run), from + slotOf(cells, at, run) + 1, from + held);
      cells[at + column.held] = held - 1;
      if (held === 1) cells[at + infosAt] = 16 * home;
    },
    home: (cells, at) => Math.floor(cells[at + infosAt]! / 16),
    code: (cells, at, index) => cells[at + infosAt + index]! & 15,
    move(cells, at, codeOf) {
      const held = cells[at + column.held]!;
      for (let place = at + infosAt; place < at + infosAt + held; place++) {
        const home = Math.floor(cells[place]! / 16);
        cells[place] = 16 * movedHome(home, codeOf) + (cells[place]! & 15);
      }
    },
  };
}

/** The home of a group by its slice and its gold label, 0..3. */
export function homeOf(slice: number, gold: number | undefined): number {
  return gold === undefined ? -4 * (slice + 1) : 4 * slice + gold;
}

/** Code of the finest slice of a home. */
export function sliceOfHome(home: number): number {
  return home < 0 ? -home / 4 - 1 : Math.floor(home / 4);
}

/** Gold label of a home, 0..3; undefined where it has none. */
export function goldOfHome(home: number): number | undefined {
  return home < 0 ? undefined : home & 3;
}

function movedHome(home: number, codeOf: (slice: number) => number): number {
  return homeOf(codeOf(sliceOfHome(home)), goldOfHome(home));
}

/** Inserts before `slot` into the `held` ascending cells from `from`; where all k are taken, the first is lost. */
function insert(cells: Float64Array, from: number, held: number, k: number, slot: number, value: number): void {
  if (held < k) {
    for (let i = held; i > slot; i--) cells[from + i] = cells[from + i - 1]!;
    cells[from + slot] = value;
  } else {
    for (let i = 1; i < slot; i++) cells[from + i - 1] = cells[from + i]!;
    cells[from + slot - 1] = value;
  }
}
