import { type IHeaders, type Message, Partitioners, type Producer } from 'kafkajs';
import type { DeadLetter, DeadLetters } from '../../ports.ts';
import { type KafkaSettings, kafkaClient } from './kafka-client.ts';
import { backOff, kafkaLink, type Link, rootCause } from './kafka-outage.ts';

export interface KafkaDeadLetterOptions extends KafkaSettings {
  readonly topic: string;
  /** Ends the retries of an outage. */
  readonly signal: AbortSignal;
}

/**
 * Writes dead letters to a topic: key and value of the record, what is wrong in headers `assay-*`. Resolved means written by all
 * in-sync replicas; a letter may be there twice after an outage.
 */
export function kafkaDeadLetters(options: KafkaDeadLetterOptions): DeadLetters {
  const link = kafkaLink(options.log, options.brokers, 'writing dead letters');
  const connection = newConnection(options);
  return {
    async write(letters, onOutage) {
      let away = false;
      const onAway = (): void => {
        away = true;
        onOutage(true);
      };
      for (const messages of inRequests(letters.map(message)))
        await send(messages, { options, link, connection, onAway });
      if (away) onOutage(false);
    },
    close: connection.close,
  };
}

interface Connection {
  producer(): Promise<Producer>;
  close(): Promise<void>;
}

function newConnection(options: KafkaDeadLetterOptions): Connection {
  let connected: Promise<Producer> | undefined;
  const connect = async (): Promise<Producer> => {
    const createPartitioner = Partitioners.DefaultPartitioner;
    const producer = kafkaClient(options, 2).producer({ createPartitioner, allowAutoTopicCreation: false });
    await producer.connect();
    return producer;
  };
  return {
    producer: () => (connected ??= connect()),
    async close() {
      const old = connected;
      connected = undefined;
      await (await old?.catch(() => undefined))?.disconnect().catch(() => undefined);
    },
  };
}

interface Sending {
  readonly options: KafkaDeadLetterOptions;
  readonly link: Link;
  readonly connection: Connection;
  onAway(): void;
}

/** Through outages, and in smaller requests, at last of one cut letter, where the broker finds them too large. */
async function send(messages: readonly Message[], sending: Sending, cut: number = 0): Promise<void> {
  const { options, link, connection, onAway } = sending;
  for (let attempt = 0; ; attempt++) {
    options.signal.throwIfAborted();
    try {
      const producer = await connection.producer();
      await producer.send({ topic: options.topic, acks: -1, messages: [...messages] });
      link.up();
      return;
    } catch (error) {
      if (isTooLarge(error)) {
        const half = Math.ceil(messages.length / 2);
        if (messages.length === 1) return await send([shortened(messages[0]!, cut)], sending, cut + 1);
        await send(messages.slice(0, half), sending);
        return await send(messages.slice(half), sending);
      }
      link.down(error);
      onAway();
      void connection.close();
      await backOff(attempt, options.signal);
    }
  }
}

const tooLarge: ReadonlySet<string | undefined> = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE']);

function isTooLarge(error: unknown): boolean {
  return tooLarge.has((rootCause(error) as Error & { readonly type?: string }).type);
}

/** What is left of key and value of a letter that is too large; the later ones are for topics with unusually low limits. */
const cutBytes: readonly number[] = [65_536, 4096, 256, 0];

function shortened({ key, value, headers }: Message, cut: number): Message {
  const bytes = cutBytes[cut];
  if (bytes === undefined) throw new Error('The dead-letter topic takes no record at all: raise its max.message.bytes');
  const before = headers?.['assay-truncated'] ?? String(value?.length ?? 0);
  return {
    key: key === undefined || key === null ? null : (key as Buffer).subarray(0, bytes),
    value: value === null ? null : (value as Buffer).subarray(0, bytes),
    headers: { ...headers, 'assay-truncated': before },
  };
}

function message({ reason, detail, key, value, source }: DeadLetter): Message {
  const headers: IHeaders = { 'assay-reason': reason, 'assay-detail': detail };
  if ('topic' in source) {
    headers['assay-topic'] = source.topic;
    headers['assay-partition'] = String(source.partition);
    headers['assay-offset'] = String(source.offset);
  } else {
    headers['assay-file'] = source.file;
    headers['assay-line'] = String(source.line);
  }
  if (source.element !== undefined) headers['assay-element'] = String(source.element);
  return { key: buffer(key), value: buffer(value), headers };
}

function buffer(bytes: Uint8Array | null): Buffer | null {
  return bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const requestBytes = 512 * 1024;
const requestMessages = 500;

function inRequests(messages: readonly Message[]): Message[][] {
  const requests: Message[][] = [];
  let size = requestBytes;
  for (const each of messages) {
    const bytes = (each.key?.length ?? 0) + (each.value?.length ?? 0);
    const last = requests[requests.length - 1];
    if (last === undefined || size + bytes > requestBytes || last.length === requestMessages) {
      requests.push([each]);
      size = bytes;
    } else {
      last.push(each);
      size += bytes;
    }
  }
  return requests;
}
