import type { IHeaders, Message, Producer } from 'kafkajs';
import { programName } from '../../name.ts';
import type { DeadLetter, DeadLetters } from '../../ports.ts';
import { connectProducer, type KafkaSettings } from './kafka-client.ts';
import { kafkaLink, rootCause } from './kafka-outage.ts';
import { inRequests } from './kafka-requests.ts';
import { reconnecting } from './reconnecting.ts';

export interface KafkaDeadLetterOptions extends KafkaSettings {
  readonly topic: string;
  /** Ends the retries of an outage. */
  readonly signal: AbortSignal;
}

/**
 * Writes dead letters to a topic: key and value of the record, what is wrong in headers `assay-*`. Where key and value were not read, as
 * the batch of the record is too large (`limits.batch_bytes`), both are null and `assay-unread` is `true`. Resolved means written by all
 * in-sync replicas; a dead letter may be there twice after an outage. Where the topic is compacted, a letter without a key has its
 * origin as key, and of letters with one key the topic keeps the last.
 */
export function kafkaDeadLetters(options: KafkaDeadLetterOptions): DeadLetters {
  const { topic, signal, silentMs } = options;
  const link = kafkaLink(options, {
    doing: 'writing dead letters',
    rights: `Write on the topic ${topic}`,
  });
  const isOutage = (error: unknown): boolean => !isTooLarge(error);
  const producer = reconnecting(() => connectProducer(options), { link, signal, silentMs, isOutage });
  let needsKeys = false;
  const sendKeyed = async (client: Producer, messages: readonly Message[]): Promise<void> => {
    try {
      await client.send({ topic, acks: -1, messages: needsKeys ? messages.map(keyed) : [...messages] });
    } catch (error) {
      if (needsKeys || !isRefused(error)) throw error;
      needsKeys = true;
      await sendKeyed(client, messages);
    }
  };
  return {
    async write(letters, onOutage) {
      let outage = false;
      const begins = (): void => {
        outage = true;
        onOutage(true);
      };
      const send: Send = (messages) => producer.use((client) => sendKeyed(client, messages), begins);
      for (const messages of inRequests(letters.map(message))) await sendSplit(messages, send);
      if (outage) onOutage(false);
    },
    close: producer.renew,
  };
}

type Send = (messages: readonly Message[]) => Promise<void>;

/** Sends in smaller requests, and at last one dead letter with less of its value, where the broker finds them too large. */
async function sendSplit(messages: readonly Message[], send: Send, shortenings: number = 0): Promise<void> {
  try {
    return await send(messages);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
  }
  if (messages.length === 1) return await sendSplit([shortened(messages[0]!, shortenings)], send, shortenings + 1);
  const half = Math.ceil(messages.length / 2);
  await sendSplit(messages.slice(0, half), send);
  await sendSplit(messages.slice(half), send);
}

const tooLarge: ReadonlySet<string | undefined> = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE']);

function isTooLarge(error: unknown): boolean {
  return tooLarge.has((rootCause(error) as Error & { readonly type?: string }).type);
}

/** A topic that is compacted refuses records without a key. */
function isRefused(error: unknown): boolean {
  return (rootCause(error) as Error & { readonly type?: string }).type === 'INVALID_RECORD';
}

/** A letter without a key is given its origin as one: `topic/partition/offset`, or `file/line`. */
function keyed({ key, headers = {}, ...rest }: Message): Message {
  const origin = ['topic', 'partition', 'offset', 'file', 'line', 'element'].map((name) => headers[headerOf(name)]);
  return { ...rest, headers, key: key ?? Buffer.from(origin.filter((part) => part !== undefined).join('/')) };
}

/** How much is left of the key and value of a dead letter that is too large; the smaller sizes are for topics with unusually low limits. */
const shortenedBytes: readonly number[] = [65_536, 4096, 256, 0];

function shortened({ key, value, headers }: Message, shortenings: number): Message {
  const bytes = shortenedBytes[shortenings];
  if (bytes === undefined) throw new Error('The dead-letter topic takes no record at all: raise its max.message.bytes');
  const before = headers?.[headerOf('truncated')] ?? String(value?.length ?? 0);
  return {
    key: key === undefined || key === null ? null : (key as Buffer).subarray(0, bytes),
    value: value === null ? null : (value as Buffer).subarray(0, bytes),
    headers: { ...headers, [headerOf('truncated')]: before },
  };
}

function message({ reason, detail, key, value, source, unread }: DeadLetter): Message {
  const headers: IHeaders = { [headerOf('reason')]: reason, [headerOf('detail')]: detail };
  if ('topic' in source) {
    headers[headerOf('topic')] = source.topic;
    headers[headerOf('partition')] = String(source.partition);
    headers[headerOf('offset')] = String(source.offset);
  } else {
    headers[headerOf('file')] = source.file;
    headers[headerOf('line')] = String(source.line);
  }
  if (source.element !== undefined) headers[headerOf('element')] = String(source.element);
  if (unread) headers[headerOf('unread')] = 'true';
  return { key: buffer(key), value: buffer(value), headers };
}

function buffer(bytes: Uint8Array | null): Buffer | null {
  return bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The name of a header. */
function headerOf(name: string): string {
  return `${programName}-${name}`;
}
