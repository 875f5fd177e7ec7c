import type { KafkaSettings } from '../adapters/kafka/kafka-client.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../ports.ts';

/** How the brokers of the configuration are reached. */
export function kafkaConnection({ kafka }: Config, log: Log): KafkaSettings {
  const { brokers, client_id, ssl, sasl } = kafka;
  const tls =
    typeof ssl === 'boolean'
      ? ssl
      : { ca: ssl.ca, cert: ssl.cert, key: ssl.key, passphrase: ssl.passphrase, servername: ssl.server_name };
  return { brokers, clientId: client_id, ssl: tls, sasl, log };
}
