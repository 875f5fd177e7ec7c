import { join } from 'node:path';
import { UsageError } from '../../errors.ts';
import {
  type Clock,
  type Intake,
  IntakeError,
  type IntakeKind,
  type IntakeRecord,
  type IntakeRefusal,
  type Log,
} from '../../ports.ts';
import { feedbackMark } from '../../formats/feedback/record.ts';
import { hash128OfBytes } from '../../state/containers/hash128.ts';
import { makeFolder, syncFolder } from '../object-store/make-folder.ts';
import { withRemedy } from '../object-store/remedies.ts';
import { compactTruth } from './compact-truth.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { identityOf } from './log-identity.ts';
import { partitionEnd } from './partition-end.ts';
import { type PartitionEnd, type PartitionWriter, partitionWriter } from './partition-writer.ts';
import { writeProbe } from './probe.ts';
import { partitionPath } from './segments.ts';
import { sharedBuffer, type SharedLog, type SharedNumbers, sharedNumbers, truthTopic } from './shared-log.ts';

/** The log inside: records become durable in a folder of this process, and its scoring threads read them there. */
export interface LocalLog {
  readonly intake: Intake;
  readonly shared: SharedLog;
  /** Takes no more; resolves when all that was taken is durable. */
  close(): Promise<void>;
}

export interface LocalLogOptions {
  readonly folder: string;
  /** Topic of the events, and the number of its partitions. */
  readonly topic: string;
  readonly partitions: number;
  /** How long records stay that checkpoints cover, ms. */
  readonly keepMs: number;
  /** Bytes that may wait to be scored. */
  readonly backlogBytes: number;
  /** Time without records that is written to a partition after its last record, ms: as long as a run may wait for its end. */
  readonly quietMs: number;
  readonly log: Log;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Called with what keeps records from being written and its remedy, and with undefined when they are written again. */
  readonly onOutage: (problem: string | undefined) => void;
  /** Called when another process has taken the folder. */
  readonly onLost: (error: Error) => void;
  readonly segmentBytesMax?: number;
  /** Time between two looks at quiet partitions, covered segments and the room on the disk, ms. */
  readonly everyMs?: number;
}

const usualEveryMs = 1_000;
/** Seconds after which a client tries again. */
const retryAfter = 5;

/** Opens the log in a folder, or begins one. Throws a `UsageError` where another process has it, or it has another number of partitions. */
export async function openLocalLog(options: LocalLogOptions): Promise<LocalLog> {
  const { folder, topic, partitions, onLost } = options;
  await makeFolder(folder);
  const lock = await lockFolder(folder, onLost);
  try {
    const { id, partitions: found } = await identityOf(folder, partitions);
    if (found !== partitions)
      throw new UsageError(
        `ingest.partitions: is ${partitions}, the log in ${folder} has ${found}; set it to ${found}, or move that folder away and begin anew`,
      );
    const shared: SharedLog = { folder, id, topic, partitions, buffer: sharedBuffer(partitions) };
    return await opened(options, shared, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface OpenLog {
  readonly options: LocalLogOptions;
  readonly numbers: SharedNumbers;
  readonly events: readonly PartitionWriter[];
  readonly truth: PartitionWriter;
  /** The ends at start: what lies before them counts as waiting once a reader says so. */
  readonly begun: readonly number[];
  /** The partition of the next record without a key. */
  nextKeyless: number;
  /** Reason why nothing can be written. */
  failure: string | undefined;
  isClosed: boolean;
}

async function opened(options: LocalLogOptions, shared: SharedLog, lock: FolderLock): Promise<LocalLog> {
  const numbers = sharedNumbers(shared);
  const onWrite = (error: Error | undefined): void => written(open, error);
  const events: PartitionWriter[] = [];
  for (let partition = 0; partition < shared.partitions; partition++)
    events.push(
      await writerOf(options, await endOf(options, shared, shared.topic, partition), partition, numbers, onWrite),
    );
  const truth = await truthWriter(options, shared, numbers, onWrite);
  await syncFolder(shared.folder);
  const begun = events.map((writer) => writer.nextOffset());
  const open: OpenLog = { options, numbers, events, truth, begun, nextKeyless: 0, failure: undefined, isClosed: false };
  const timer = setInterval(() => void lookAround(open), options.everyMs ?? usualEveryMs);
  return {
    shared,
    intake: { append: (kind, records) => append(open, kind, records), refusal: () => refusalOf(open) },
    async close() {
      open.isClosed = true;
      clearInterval(timer);
      await Promise.all([...events, truth].map((writer) => writer.close()));
      await lock.release();
    },
  };
}

/** The folder of a partition, made where there is none, and where it is written on. */
interface FolderEnd {
  readonly folder: string;
  readonly from: PartitionEnd;
}

async function endOf(
  { log }: LocalLogOptions,
  shared: SharedLog,
  topic: string,
  partition: number,
): Promise<FolderEnd> {
  const folder = partitionPath(shared.folder, topic, partition);
  await makeFolder(folder);
  return { folder, from: await partitionEnd(folder, log) };
}

async function writerOf(
  { clock, segmentBytesMax }: LocalLogOptions,
  { folder, from }: FolderEnd,
  partition: number,
  numbers: SharedNumbers,
  onWrite: (error: Error | undefined) => void,
): Promise<PartitionWriter> {
  numbers.setEnd(partition, from.nextOffset);
  const onDurable = (nextOffset: number): void => numbers.setEnd(partition, nextOffset);
  return partitionWriter({
    folder,
    from,
    nowMs: clock.nowMs,
    onDurable,
    onWrite,
    ...(segmentBytesMax && { segmentBytesMax }),
  });
}

async function truthWriter(
  options: LocalLogOptions,
  shared: SharedLog,
  numbers: SharedNumbers,
  onWrite: (error: Error | undefined) => void,
): Promise<PartitionWriter> {
  const { log } = options;
  const found = await endOf(options, shared, truthTopic, 0);
  const isChanged = await compactTruth(found.folder, found.from.nextOffset, log).catch((error: Error) => {
    log.warn({ err: error }, 'rows of truth that later ones replaced cannot be removed');
    // It may have come half-way.
    return true;
  });
  const end = isChanged ? await endOf(options, shared, truthTopic, 0) : found;
  return await writerOf(options, end, shared.partitions, numbers, onWrite);
}

async function append(open: OpenLog, kind: IntakeKind, records: readonly IntakeRecord[]): Promise<void> {
  const refusal = refusalOf(open);
  if (refusal !== undefined) throw new IntakeError(refusal);
  const parts = kind === 'events' ? partsOf(open, records) : new Map([[open.truth, truthRecords(kind, records)]]);
  try {
    await Promise.all([...parts].map(([writer, part]) => writer.append(part)));
  } catch (error) {
    throw new IntakeError({ status: 503, reason: failureText(open, error as Error), retryAfter });
  }
}

/** Feedback lies among the rows of truth, under keys with a mark. */
function truthRecords(kind: IntakeKind, records: readonly IntakeRecord[]): readonly IntakeRecord[] {
  if (kind === 'truth') return records;
  return records.map((record) => ({ ...record, key: Buffer.concat([Buffer.of(feedbackMark), record.key!]) }));
}

const words = new Uint32Array(4);

function partsOf(open: OpenLog, records: readonly IntakeRecord[]): Map<PartitionWriter, IntakeRecord[]> {
  const { events } = open;
  const parts = new Map<PartitionWriter, IntakeRecord[]>();
  for (const record of records) {
    const writer = events[(numberOf(record) ?? open.nextKeyless++) % events.length]!;
    const part = parts.get(writer);
    if (part === undefined) parts.set(writer, [record]);
    else part.push(record);
  }
  return parts;
}

/** A number that the key of a record has, or what chooses its partition otherwise; undefined where any partition will do. */
function numberOf({ key, partition }: IntakeRecord): number | undefined {
  const id = key ?? partition;
  if (id === undefined || id === 0) return id;
  hash128OfBytes(id, 0, id.length, words, 0);
  return words[0]!;
}

function refusalOf(open: OpenLog): IntakeRefusal | undefined {
  const { options, failure, isClosed, events, numbers, begun } = open;
  if (isClosed) return { status: 503, reason: 'the service is stopping; send it again', retryAfter };
  if (failure !== undefined) return { status: 503, reason: failure, retryAfter };
  const waiting = events.reduce((sum, writer, at) => {
    const covered = numbers.covered(at);
    return sum + writer.bytesFrom(covered < 0 ? begun[at]! : covered);
  }, 0);
  if (waiting <= options.backlogBytes) return undefined;
  const reason = `${Math.round(waiting)} bytes wait to be scored, and ingest.backlog allows ${options.backlogBytes}; send it again later, or raise ingest.backlog`;
  return { status: 429, reason, retryAfter };
}

/** Notes how a write went. */
function written(open: OpenLog, error: Error | undefined): void {
  const { onOutage, log } = open.options;
  if (error === undefined) {
    if (open.failure === undefined) return;
    open.failure = undefined;
    log.info({ folder: open.options.folder }, 'the log is written again');
    onOutage(undefined);
    return;
  }
  if (open.failure === undefined) log.error({ err: error }, failureText(open, error));
  open.failure = failureText(open, error);
  onOutage(open.failure);
}

function failureText({ options: { folder } }: OpenLog, error: Error): string {
  return withRemedy(`the log in ${folder} cannot be written (${error.message})`, error);
}

async function lookAround(open: OpenLog): Promise<void> {
  writeQuiet(open);
  await retain(open);
  await probe(open);
}

/** Tries whether there is room again: what is refused writes nothing. */
async function probe(open: OpenLog): Promise<void> {
  if (open.failure === undefined || open.isClosed) return;
  const error = await writeProbe(join(open.options.folder, 'probe'));
  if (error === undefined && !open.isClosed) written(open, undefined);
}

/** Writes the time since its last record into each partition: the runs that are open there end by it. */
function writeQuiet({ options: { everyMs = usualEveryMs, quietMs }, events, failure }: OpenLog): void {
  if (failure !== undefined) return;
  for (const writer of events) {
    const { sinceMs, writtenMs } = writer.quiet();
    if (writer.nextOffset() === 0 || sinceMs < everyMs || writtenMs >= quietMs) continue;
    void writer.append([{ quietMs: Math.floor(sinceMs) }]).catch(() => undefined);
  }
}

async function retain({ options, events, numbers }: OpenLog): Promise<void> {
  const beforeMs = options.clock.nowMs() - options.keepMs;
  for (const [at, writer] of events.entries())
    await writer.retain(numbers.covered(at), beforeMs).catch((error: Error) => {
      options.log.warn({ err: error }, 'old segments of the log cannot be removed');
    });
}
