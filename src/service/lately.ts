import type { EventBatch, Names } from '../stream/event.ts';

const places = 1 << 14;
/** All is forgotten after so many questions: what was told is told again now and then. */
const forgetAfter = 1 << 17;

/** Whether a model was named with a truth row lately; from then on it was. Never true of what was not named. */
export function createLately(): (row: number, batch: EventBatch, event: number) => boolean {
  const byNames = new WeakMap<Names, { readonly known: Float64Array; generation: number; asked: number }>();
  return (row, { names, model }, event) => {
    let memory = byNames.get(names);
    if (memory === undefined) {
      memory = { known: new Float64Array(places), generation: names.generation, asked: 0 };
      byNames.set(names, memory);
    }
    if (memory.asked++ === forgetAfter || memory.generation !== names.generation) {
      memory.known.fill(0);
      Object.assign(memory, { generation: names.generation, asked: 0 });
    }
    const code = model[event]!;
    const key = 1 + row * 2 ** 21 + code;
    const place = (row ^ Math.imul(code, 0x9e3779b1)) & (places - 1);
    if (memory.known[place] === key) return true;
    memory.known[place] = key;
    return false;
  };
}
