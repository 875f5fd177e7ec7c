/** Keys that a person presses, one by one. */
export interface Keys {
  /** Undefined at the end of the input, or when the signal is aborted. */
  next(signal: AbortSignal): Promise<string | undefined>;
  close(): void;
}

/** Keys of a terminal as they are pressed; of any other input its characters. */
export function keysOf(input: NodeJS.ReadStream): Keys {
  const waiting: string[] = [];
  const state = { ended: false, wake: (): void => undefined };
  if (input.isTTY) input.setRawMode(true);
  input.setEncoding('utf8');
  input.on('data', (text: string) => {
    waiting.push(...text);
    state.wake();
  });
  input.on('end', () => {
    state.ended = true;
    state.wake();
  });
  return {
    async next(signal) {
      const wake = (): void => state.wake();
      signal.addEventListener('abort', wake);
      while (waiting.length === 0 && !state.ended && !signal.aborted)
        await new Promise<void>((resolve) => (state.wake = resolve));
      signal.removeEventListener('abort', wake);
      return signal.aborted ? undefined : waiting.shift();
    },
    close() {
      if (input.isTTY) input.setRawMode(false);
      input.pause();
    },
  };
}
