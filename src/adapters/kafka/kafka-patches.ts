import { type AskedTopic, decodeFetch, fetchVersion } from './fetch-response.ts';
import { type Broker, type Exchange, type Group, groupPrototype, type Lookup } from './kafkajs-parts.ts';
import { mendConnections } from './kafka-connection.ts';
import { knownGaps } from './offset-gaps.ts';

/**
 * A way to the consumer group object of kafkajs 2.2.4, which is no longer maintained, and what is mended there and in its connections.
 */
export function patchKafkaJs(): void {
  const prototype: Group & { [patched]?: true } = groupPrototype;
  if (prototype[patched]) return;
  prototype[patched] = true;
  const connect = prototype.connect;
  prototype.connect = function (this: Group) {
    for (const assigner of this.assigners) adopters.get(assigner)?.(this);
    return connect.call(this);
  };
  mendConnections();
}

/** Calls `adopt` with the group object of the consumer that was given `assigner`, before it joins. */
export function onGroup(assigner: object, adopt: (group: Group) => void): void {
  adopters.set(assigner, adopt);
}

const patched: unique symbol = Symbol('patched');
const adopters: WeakMap<object, (group: Group) => void> = new WeakMap();

/**
 * Lets a group read fetch responses by `decodeFetch`: kafkajs checks no checksum and bounds nothing that it decompresses, makes an object
 * of each record, with texts for numbers, delivers records of aborted transactions that overlap, and gets stuck where compaction took the
 * last record of a batch.
 */
export function useOwnDecoder({ cluster }: Group, batchBytes: number): void {
  const { findBroker } = cluster;
  const own = new WeakSet<Lookup>();
  cluster.findBroker = async (node) => {
    const broker = await findBroker.call(cluster, node);
    // A connect has put a new one there.
    if (!own.has(broker.lookupRequest)) {
      broker.lookupRequest = ownLookup(broker, batchBytes);
      own.add(broker.lookupRequest);
    }
    return broker;
  };
}

const fetchKey = 1;

function ownLookup({ lookupRequest }: Broker, batchBytes: number): Lookup {
  const gaps = knownGaps();
  return (apiKey, definition) => {
    const exchange = lookupRequest(apiKey, definition);
    if (apiKey !== fetchKey) return exchange;
    return (options) => {
      const request = options as { readonly topics: readonly AskedTopic[] };
      return ownFetch(exchange(options), (bytes) => decodeFetch(bytes, batchBytes, request, gaps));
    };
  };
}

function ownFetch(exchange: Exchange, decode: Exchange['response']['decode']): Exchange {
  const { apiVersion } = exchange.request;
  if (apiVersion !== fetchVersion)
    throw new Error(
      `The broker knows version ${apiVersion} of fetch requests, ${fetchVersion} is needed: Kafka 2.3 or newer`,
    );
  return { ...exchange, response: { ...exchange.response, decode } };
}
