import type { DeadLetter, DeadLetters } from '../../src/ports.ts';
import type { Instance } from './instance.ts';
import { operate, type World } from './world.ts';

/** Where a letter comes from and why it was written: `partition/offset/element/reason`. */
export type DeadLetterKey = string;

/** The durable letters, by key. */
export type DeadLetterBox = Map<DeadLetterKey, DeadLetter[]>;

export function deadLetterKey(partition: number, offset: number, element: number, reason: string): DeadLetterKey {
  return `${partition}/${offset}/${element}/${reason}`;
}

/** The dead letters of a process: retried until they are written, one by one where the process dies meanwhile. */
export function simDeadLetters(world: World, instance: Instance): DeadLetters {
  const write = (letters: readonly DeadLetter[]): void => {
    for (const letter of letters) post(world.deadLetters, letter);
  };
  const insist = async (letters: readonly DeadLetter[]): Promise<void> => {
    for (;;) {
      try {
        return await operate(world, instance, {
          effect: () => write(letters),
          torn: () => write(letters.slice(0, world.random.int(letters.length + 1))),
          out: () => world.timeline.nowMs < world.deadLettersOutUntilMs,
        });
      } catch {}
    }
  };
  return {
    write(letters) {
      if (letters.length === 0) return Promise.resolve();
      const written = insist(letters.map(copied));
      return world.plant.deadLetters === 'not awaited' ? Promise.resolve() : written;
    },
    close: () => Promise.resolve(),
  };
}

function post(box: DeadLetterBox, letter: DeadLetter): void {
  const { source, reason } = letter;
  if (!('topic' in source)) throw new Error('a letter of the service names its topic');
  const key = deadLetterKey(source.partition, source.offset, source.element ?? -1, reason);
  const same = box.get(key);
  if (same === undefined) box.set(key, [letter]);
  else same.push(letter);
}

/** As a sink would serialise it: at once. */
function copied(letter: DeadLetter): DeadLetter {
  return { ...letter, key: letter.key?.slice() ?? null, value: letter.value?.slice() ?? null };
}
