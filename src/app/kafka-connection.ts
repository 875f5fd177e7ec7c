import type { KafkaSettings } from '../adapters/kafka/kafka-client.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../ports.ts';

/** How the brokers of the configuration are reached. */
export function kafkaConnection({ kafka }: Config, log: Log): KafkaSettings {
  const { brokers, client_id, ssl, sasl } = kafka;
  if (typeof ssl === 'boolean') return { brokers, clientId: client_id, ssl, sasl, log };
  const { server_name, ...keys } = ssl;
  // kafkajs names the broker's host to the server (SNI) unless `servername` is there, be it undefined.
  const tls = server_name === undefined ? keys : { ...keys, servername: server_name };
  return { brokers, clientId: client_id, ssl: tls, sasl, log };
}
