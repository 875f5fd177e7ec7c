import { Buffer } from 'node:buffer';

/** Buffers for the responses of brokers. */
export interface ResponseBuffers {
  /** For a response of so many bytes. */
  take(bytes: number): Buffer;
  /** Nobody reads a response any more: its bytes will be others'. Whoever cannot tell leaves it to the garbage collector. */
  release(response: Buffer): void;
}

/** Smaller responses are seldom, or cost little. Larger ones are a batch that is beyond what is fetched at once. */
const [leastBytes, mostBytes] = [64 * 1024, 16 * 2 ** 20];
/** Buffers that wait: as many brokers answer one after the other without a new one. */
const waitingMost = 4;

/**
 * Large responses come into buffers that held others before: new ones would be all the bytes that are consumed, and V8 begins a full
 * collection for each 64 MB of them.
 */
export function createResponseBuffers(): ResponseBuffers {
  const taken = new WeakMap<ArrayBufferLike, Buffer>();
  const waiting: Buffer[] = [];
  return {
    take(bytes) {
      if (bytes < leastBytes || bytes > mostBytes) return Buffer.allocUnsafe(bytes);
      const fitting = waiting.findIndex(({ length }) => length >= bytes);
      const whole = fitting < 0 ? newBuffer(bytes) : waiting.splice(fitting, 1)[0]!;
      taken.set(whole.buffer, whole);
      return whole.subarray(0, bytes);
    },
    release({ buffer }) {
      const whole = taken.get(buffer);
      if (whole === undefined) return;
      taken.delete(buffer);
      // The smallest that fits is found first, and goes first where there are too many.
      waiting.push(whole);
      waiting.sort((a, b) => a.length - b.length);
      if (waiting.length > waitingMost) waiting.shift();
    },
  };
}

/** The buffers of all connections: kafkajs has one prototype for them. */
export const responseBuffers: ResponseBuffers = createResponseBuffers();

/** One in which somewhat larger responses have room as well. */
function newBuffer(bytes: number): Buffer {
  const unit = 2 ** 20;
  // Not a SharedArrayBuffer, which V8 copies at a third of the speed.
  return Buffer.allocUnsafeSlow(Math.ceil(bytes / unit) * unit);
}
