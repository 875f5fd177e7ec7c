import type { ObjectStore } from '../../src/adapters/object-store/object-store.ts';

/** What all that a process says to the world goes through. */
export interface Valve {
  /** Operations until it closes. */
  left: number;
  closed: Promise<void>;
  pass(): Promise<void>;
  open(): void;
}

/** An open one. */
export function valveOf(): Valve {
  let isOpen = Promise.resolve();
  let open = (): void => undefined;
  let tell = (): void => undefined;
  const closing = (): Promise<void> =>
    new Promise((resolve) => {
      tell = resolve;
    });
  const valve: Valve = {
    left: Number.POSITIVE_INFINITY,
    closed: closing(),
    async pass() {
      if (valve.left-- === 0) {
        isOpen = new Promise((resolve) => {
          open = resolve;
        });
        tell();
      }
      await isOpen;
    },
    open() {
      valve.closed = closing();
      open();
    },
  };
  return valve;
}

/** A store whose every operation may be the last, before it is done or after. */
export function through(store: ObjectStore, valve: Valve): ObjectStore {
  const passing =
    <Parameters extends unknown[], Result>(operation: (...parameters: Parameters) => Promise<Result>) =>
    async (...parameters: Parameters): Promise<Result> => {
      await valve.pass();
      await new Promise((resolve) => setImmediate(resolve));
      const result = await operation(...parameters);
      await valve.pass();
      return result;
    };
  return {
    ...store,
    files: passing(store.files),
    read: passing(store.read),
    size: passing(store.size),
    write: passing(store.write),
    remove: passing(store.remove),
  };
}
