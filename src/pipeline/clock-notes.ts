import { headersOf } from '../formats/inputs/headers.ts';
import { decodeUtf8 } from '../formats/bytes/utf8.ts';
import type { LogRecord } from '../stream/event.ts';
import type { TimeMove } from '../stream/time-move.ts';
import type { Service } from './service.ts';
import type { Task } from './task.ts';

/** Event time so far ahead of this machine's clock is some clock's mistake; below half of it the incident is over. */
const aheadMs = 60_000;
const everyMs = 600_000;
const jumpsEveryMs = 3_600_000;

/**
 * Logs, once an incident and partition, that event time is ahead of this machine's clock, or that one record moved it by more than an hour: the
 * record and its producer. The log alone: the state depends on no clock.
 */
export function lookAtClock(service: Service, task: Task, records: readonly LogRecord[]): void {
  const { clock, log } = service.options;
  const { out, state, name, clockNotes: notes } = task;
  const { lastMove: last, jump } = out;
  out.jump = undefined;
  const now = clock.monotonicMs();
  const ahead = state.numbers.greatestTs - clock.nowMs();
  if (ahead <= aheadMs / 2) notes.isAhead = false;
  if (ahead > aheadMs && !notes.isAhead && last !== undefined) {
    notes.isAhead = true;
    if (now >= notes.aheadFromMs) {
      notes.aheadFromMs = now + everyMs;
      const { text, fields } = described(task, records, jump ?? last);
      log.warn(
        { ...fields, ahead_seconds: Math.round(ahead / 1000) },
        `${name}: event time is ${spanText(ahead)} ahead of this machine's clock since ${text}: windows close early; set the clock of the producer, or of this machine`,
      );
      return;
    }
  }
  if (jump === undefined || now < notes.jumpFromMs) return;
  notes.jumpFromMs = now + jumpsEveryMs;
  const { text, fields } = described(task, records, jump);
  const span = jump.toMs - jump.fromMs;
  log.warn(
    { ...fields, jump_seconds: Math.round(span / 1000) },
    `${name}: event time jumped by ${spanText(span)} at ${text}: after a pause that is right, else see the clock of the producer`,
  );
}

function described(
  { name }: Task,
  records: readonly LogRecord[],
  { offset, model, agent }: TimeMove,
): { readonly text: string; readonly fields: object } {
  const record = records.find((each) => each.offset === offset);
  const client = record && clientOf(record);
  const parts = Object.entries({ model, agent, client }).filter(([, value]) => value !== undefined);
  const fields = { partition: name, offset, ...Object.fromEntries(parts) };
  return { text: [`offset ${offset}`, ...parts.map((part) => part.join(' '))].join(', '), fields };
}

/** The client id that a producer put into a header. */
function clientOf(record: LogRecord): string | undefined {
  const found = headersOf(record).find(([name]) => name !== undefined && /^client[._-]?id$/i.test(name))?.[1];
  return found && decodeUtf8(found, 0, found.length);
}

function spanText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes >= 2 * 24 * 60) return `${Math.floor(minutes / 1440)} days`;
  return minutes >= 120 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes} min`;
}
