import { jsonEqual } from '../json.ts';
import type { Call } from '../prediction.ts';
import { isMalformed } from './matching.ts';

/** Calls that say the same as others of their event. */
export interface Repetitions {
  /** Calls that are equal to an earlier one of the event. */
  readonly repeated: number;
  /** A call is made three times or more. */
  readonly loop: boolean;
}

/** So many are compared with each other by a glance, before their arguments are hashed. */
const fewCalls = 16;

/** Calls that are deeply equal to an earlier one, and whether one is made three times or more. `hashAt` is the hash of the arguments of a call. */
export function repetitionsOf(calls: readonly Call[], hashAt: (place: number) => number): Repetitions {
  let repeated = 0;
  let loop = false;
  if (calls.length < 2 || (calls.length <= fewCalls && allDiffer(calls))) return { repeated, loop };
  const byHash = new Map<number, { readonly call: Call; count: number }[]>();
  for (let place = 0; place < calls.length; place++) {
    const call = calls[place]!;
    if (isMalformed(call)) continue;
    const hash = hashAt(place);
    let alike = byHash.get(hash);
    if (alike === undefined) byHash.set(hash, (alike = []));
    const same = alike.find(
      ({ call: earlier }) => earlier.name === call.name && jsonEqual(earlier.arguments, call.arguments),
    );
    if (same === undefined) alike.push({ call, count: 1 });
    else {
      repeated++;
      if (++same.count === 3) loop = true;
    }
  }
  return { repeated, loop };
}

/** Whether a glance at their arguments tells all calls apart. */
function allDiffer(calls: readonly Call[]): boolean {
  const glances = calls.map(glanceAt);
  for (let i = 1; i < glances.length; i++) for (let j = 0; j < i; j++) if (glances[i] === glances[j]) return false;
  return true;
}

/** A 32-bit number that is the same of equal calls: of the names, and of the texts and numbers that are arguments themselves. */
function glanceAt({ name = '', arguments: args = {} }: Call): number {
  let glance = name.length;
  for (const key of Object.keys(args)) {
    const value = args[key];
    const part = typeof value === 'number' ? value | 0 : typeof value === 'string' ? textGlance(value) : 1;
    // A sum: the order of the keys does not count.
    glance = (glance + Math.imul(part, 31 * key.length + 1)) | 0;
  }
  return glance;
}

function textGlance(text: string): number {
  return text === '' ? 0 : text.length + 31 * text.charCodeAt(text.length - 1);
}
