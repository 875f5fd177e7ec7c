import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';

/** Lets the other threads go first where the processors are busy. Linux only, where each thread has a priority of its own. */
export function yieldToOthers(): void {
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Elsewhere, or forbidden: it competes with them.
  }
}
