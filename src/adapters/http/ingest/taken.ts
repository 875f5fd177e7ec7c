import { setImmediate as turn } from 'node:timers/promises';
import { type Intake, IntakeError, type IntakeKind, type IntakeRecord, type IntakeRefusal } from '../../../ports.ts';
import type { Reply } from '../reply.ts';
import { traceOfKey } from '../../../state/open-runs.ts';
import type { Event, LogRecord, Reader } from '../../../stream/event.ts';

/** Records of a request that are to be appended, and those that are not. */
export interface Taken {
  readonly records: readonly IntakeRecord[];
  readonly rejected: readonly Refusal[];
}

/** A record that is not appended: its index in the request, and why. */
export interface Refusal {
  readonly index: number;
  readonly code: string;
  readonly detail: string;
}

/** Why nothing of a body is taken. */
export interface Problem {
  readonly status: 400 | 413;
  readonly problem: string;
}

/** How the records of requests are read. */
export interface Reading {
  /** The reader that the log is read with. */
  readonly reader: Reader;
  /** Bytes of a record, and records of an array, at most (`limits.record_bytes`, `limits.elements`). */
  readonly recordBytes: number;
  readonly elements: number;
  /** Time of arrival in ms: that of records without a time of their own. */
  readonly nowMs: number;
}

/** Records of a request at most. */
export const recordsMax = 100_000;

/** A record as the log will give it back. */
export function recordOf(bytes: Uint8Array, timestamp: number): LogRecord {
  return { bytes, start: 0, end: bytes.length, offset: 0, timestamp };
}

/** The bytes of a key. */
export function keyBytes(text: string | undefined): Uint8Array | undefined {
  return text === undefined || text === '' ? undefined : Buffer.from(text);
}

/**
 * A record with steps of a run. Those of one run lie in one partition: where traces are parted, by another key than their id (`runs.by`), spans of
 * any other request may be of the same run, so all lie in the first.
 */
export function runRecord(run: string, value: Uint8Array): IntakeRecord {
  return traceOfKey(run) === undefined ? { key: keyBytes(run), value } : { key: undefined, value, partition: 0 };
}

/** A record with an event: its key is the example. An id that stands for the example only chooses the partition, so that a repetition is found. */
export function eventRecord({ exampleId, eventId, oddities }: Event, value: Uint8Array): IntakeRecord {
  return oddities?.own === undefined
    ? { key: keyBytes(exampleId), value }
    : { key: undefined, value, partition: keyBytes(eventId) };
}

/** Appends records, if there are any; resolves with the refusal where they are not taken. */
export async function appended(
  intake: Intake,
  kind: IntakeKind,
  records: readonly IntakeRecord[],
): Promise<IntakeRefusal | undefined> {
  try {
    if (records.length > 0) await intake.append(kind, records);
    return undefined;
  } catch (error) {
    if (error instanceof IntakeError) return error.refusal;
    throw error;
  }
}

/** A reply with the seconds after which the client may try again: one where too much waits, unless they are given. */
export function withRetryAfter(reply: Reply, seconds = reply.status === 429 ? 1 : undefined): Reply {
  return seconds === undefined ? reply : { ...reply, headers: { 'retry-after': String(seconds) } };
}

/** Lets the event loop turn where work has taken so long since it last did: pages and probes are answered meanwhile. */
export function pacing(): () => Promise<void> {
  let sinceMs = performance.now();
  return async () => {
    if (performance.now() - sinceMs < sliceMs) return;
    await turn();
    sinceMs = performance.now();
  };
}

const sliceMs = 5;
