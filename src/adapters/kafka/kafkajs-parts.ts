import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

/** Parts of kafkajs 2.2.4 that it does not export. */

/** kafkajs's ConsumerGroup, as far as it is used. One lives from the start of a consumer to its stop or crash. */
export interface Group {
  readonly assigners: readonly object[];
  readonly cluster: AskedEnds & {
    refreshMetadata(): Promise<void>;
    refreshMetadataIfNecessary(): Promise<void>;
    findControllerBroker(): Promise<object>;
    isConnected(): boolean;
    findBroker(node: { nodeId: string }): Promise<Broker>;
  };
  readonly memberId: string | null;
  /** Made anew at each join, with the member id and generation of that join: commits through it are fenced by them. */
  readonly offsetManager: OffsetManager | null;
  connect(): Promise<void>;
  joinAndSync(): Promise<void>;
  heartbeat(options: { interval: number }): Promise<void>;
  fetch(nodeId: string): Promise<FetchedBatch[]>;
  recoverFromFetch(error: Error): Promise<void>;
  pause(partitions: readonly TopicPartitions[]): void;
  resume(partitions: readonly TopicPartitions[]): void;
  seek(position: { topic: string; partition: number; offset: string }): void;
  /** The next fetch of the partition starts after `offset`. */
  resolveOffset(position: { topic: string; partition: number; offset: string }): void;
}

export interface OffsetManager {
  /** One attempt. */
  commitOffsets(offsets: {
    topics: { topic: string; partitions: { partition: number; offset: string; metadata: null }[] }[];
  }): Promise<void>;
}

export interface TopicPartitions {
  readonly topic: string;
  readonly partitions: number[];
}

/** kafkajs's Batch, before its handler sees it. */
export interface FetchedBatch {
  readonly topic: string;
  readonly partition: number;
  readonly highWatermark: string;
  readonly rawMessages: readonly object[];
  isEmpty(): boolean;
}

/** kafkajs's connection to a broker, which it connects again after it broke. */
export interface Connection {
  readonly socket: Socket | undefined;
  /** While it authenticates; `authExpectResponse`: by responses that have a length. */
  readonly authHandlers: { readonly onError: () => void } | null;
  readonly authExpectResponse: boolean;
  /** Requests that wait for their response, by their number. */
  readonly requestQueue: { readonly inflight: ReadonlyMap<number, object> };
  /** Life of the login, in ms; 0: without end. */
  readonly sessionLifetime: { toString(): string };
  /** How long before the end of a session it is renewed, in ms. */
  reauthenticationThreshold: number;
  isConnected(): boolean;
  isAuthenticated(): boolean;
  connect(): Promise<boolean>;
  processData(data: Buffer): void;
  rejectRequests(error: Error): void;
  send(exchange: object): Promise<unknown>;
}

export interface Broker {
  /** Made anew at each connect. */
  lookupRequest: Lookup;
}

/** Returns the newest version of a request that client and broker support. */
export type Lookup = (apiKey: number, definition: object) => (options: object) => Exchange;

/** A request, and the reader of its response. */
export interface Exchange {
  readonly request: { readonly apiVersion: number };
  readonly response: { decode(bytes: Buffer): Promise<object>; parse(decoded: object): Promise<object> };
}

/** A reader of the bytes of the protocol. */
export interface Decoder {
  readInt16(): number;
  readInt32(): number;
  readInt64(): bigint;
  readString(): string;
  readBytes(length?: number): Buffer | null;
  readBoolean(): boolean;
  canReadBytes(length: number): boolean;
  /** A text of the flexible versions: undefined lengths are null. */
  readUVarIntString(): string | null;
  readUVarIntArray<T>(read: (decoder: Decoder) => T): T[] | null;
  readTaggedFields(): object | null;
}

/** A writer of the bytes of the protocol; `writeUVarIntBytes` without any says that there are no tagged fields. */
export interface Encoder {
  writeInt32(value: number): Encoder;
  writeBoolean(value: boolean): Encoder;
  writeBuffer(value: Buffer): Encoder;
  writeUVarIntString(value: string): Encoder;
  writeUVarIntArray(values: readonly Encoder[]): Encoder;
  writeUVarIntBytes(): Encoder;
  writeEncoder(value: Encoder): Encoder;
}

/** A broker that answers requests which kafkajs does not know. */
export interface AskedBroker {
  /** By API key: the versions that it knows. */
  readonly versions: Readonly<Record<number, { readonly maxVersion: number } | undefined>> | null;
  readonly connectionPool: {
    send<Answer>(question: Question<Answer>): Promise<Answer>;
  };
}

/** The part of a cluster of kafkajs that tells where partitions end. */
export interface AskedEnds {
  fetchTopicsOffset(topics: readonly AskedTopic[]): Promise<readonly TopicEnds[]>;
}

/** A question for the ends of partitions of a topic. */
export interface AskedTopic {
  readonly topic: string;
  readonly partitions: readonly { readonly partition: number }[];
  readonly fromBeginning: false;
}

interface TopicEnds {
  readonly topic: string;
  readonly partitions: readonly { readonly partition: number; readonly offset: string }[];
}

/** A request, and the reader of its response. */
export interface Question<Answer> {
  readonly request: object;
  readonly response: { decode(bytes: Buffer): Promise<Answer>; parse(decoded: Answer): Promise<Answer> };
}

/** A request of a flexible version. */
export function flexibleRequest<Answer>(
  header: { readonly apiKey: number; readonly apiVersion: number; readonly apiName: string },
  body: Encoder,
  decode: (bytes: Buffer) => Answer,
): Question<Answer> {
  // The tagged fields of the header, of which there are none, come before.
  const encode = async (): Promise<Encoder> => new Encoder().writeUVarIntBytes().writeEncoder(body);
  const parse = async (found: Answer): Promise<Answer> => found;
  return { request: { ...header, encode }, response: { decode: async (bytes) => decode(bytes), parse } };
}

const load: NodeJS.Require = createRequire(import.meta.url);

export const Decoder: new (bytes: Buffer) => Decoder = load('kafkajs/src/protocol/decoder.js');

export const Encoder: new () => Encoder = load('kafkajs/src/protocol/encoder.js');

export const groupPrototype: Group = load('kafkajs/src/consumer/consumerGroup.js').prototype;

export const connectionPrototype: Connection = load('kafkajs/src/network/connection.js').prototype;
