import type { KafkaSettings } from '../adapters/kafka/kafka-client.ts';
import { assertMskSigner, type KafkaLogin } from '../adapters/kafka/kafka-login.ts';
import type { Config } from '../config/config.ts';
import { tlsOptions } from '../config/kafka-tls.ts';
import type { Log } from '../ports.ts';

/** How the brokers of the configuration are reached; the outages at present are kept in `outages`. */
export function kafkaConnection({ kafka }: Config, log: Log, outages?: Set<string>): KafkaSettings {
  const { brokers, client_id: clientId, ssl, sasl, session_timeout } = kafka;
  return {
    ...{ brokers, clientId, silentMs: session_timeout.ms, log, outages },
    ssl: typeof ssl === 'boolean' ? ssl : tlsOptions(ssl),
    sasl: sasl === undefined ? undefined : loginOf(sasl),
  };
}

/** The configuration was checked: what the mechanism needs is there. */
function loginOf(sasl: NonNullable<Config['kafka']['sasl']>): KafkaLogin {
  const { mechanism, username, password, token_file, token_url, client_id, client_secret, scope, region } = sasl;
  if (mechanism === 'aws-msk-iam') {
    assertMskSigner();
    return { mechanism: 'oauthbearer', token: { region: region! } };
  }
  if (mechanism !== 'oauthbearer') return { mechanism, username: username!, password: password! };
  if (token_file !== undefined) return { mechanism, token: { file: token_file } };
  return { mechanism, token: { url: token_url!, clientId: client_id!, clientSecret: client_secret!, scope } };
}
