import { readFileSync } from 'node:fs';

/** Bytes of memory that a process of this host has, or had at most since it was last asked to forget that. Linux only. */
export function memoryOf(pid: number | undefined, which: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return 1024 * Number(new RegExp(`${which}:\\s+(\\d+) kB`).exec(status)![1]);
}
