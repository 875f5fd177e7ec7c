/** An error of kafkajs, of Kafka (`type`) or of a connection. */
export interface KafkaError extends Error {
  readonly type?: string;
  readonly retriable?: boolean;
}

/** The settings that the texts name. */
export interface Named {
  /** "Read on the topics predictions and on the group assay" */
  readonly rights: string;
  /** "the token of /run/token, which ended at …"; undefined without a login. */
  readonly login: string | undefined;
}

/** The fate of an error: `outage` is retried, `fatal` is of the configuration; and what it means. */
export interface Meaning {
  readonly fate: 'outage' | 'fatal';
  /** A predicate of "Kafka at a:9092", with the key to look at, the cause and the remedy. */
  readonly text: string;
  /** True if the table has a row for it. */
  readonly known: boolean;
}

/** The meaning of an error, given as the chain of its causes. The first row of the table that fits counts. */
export function meaningOf(chain: readonly KafkaError[], named: Named): Meaning {
  const { message } = chain[chain.length - 1]!;
  for (const { of, fate, text } of table) {
    const error = chain.find((each) => of(each));
    if (error !== undefined) return { fate, text: text({ ...named, message, error }), known: true };
  }
  const fate = chain[chain.length - 1]!.retriable === true ? 'outage' : 'fatal';
  return { fate, text: `has trouble (${message})`, known: false };
}

/** The text of brokers to which there is no connection, or its beginning. */
export const unreachable = 'cannot be reached';
/** The beginning of the text of brokers that keep their connections and answer nothing. */
export const silent = 'has not answered';

interface Found extends Named {
  /** The message below all wrappers. */
  readonly message: string;
  /** The error that the row fits. */
  readonly error: KafkaError;
}

interface Row {
  readonly of: (error: KafkaError) => boolean;
  readonly fate: Meaning['fate'];
  readonly text: (found: Found) => string;
}

const ofType =
  (pattern: RegExp) =>
  ({ type = '' }: KafkaError): boolean =>
    pattern.test(type);
const ofName =
  (pattern: RegExp) =>
  ({ name }: KafkaError): boolean =>
    pattern.test(name);
const ofMessage =
  (pattern: RegExp) =>
  ({ message }: KafkaError): boolean =>
    pattern.test(message);

const table: readonly Row[] = [
  {
    of: ofType(/_AUTHORIZATION_FAILED$/),
    fate: 'fatal',
    text: ({ message, rights }) => `refuses us (${message}); give us the rights: ${rights}`,
  },
  {
    of: ofType(/^INCONSISTENT_GROUP_PROTOCOL$/),
    fate: 'fatal',
    text: () =>
      'has other members in the group, which share its partitions by another assignor or are no consumers: give Assay a group of its own (kafka.group_id)',
  },
  {
    of: ofType(/^INVALID_SESSION_TIMEOUT$/),
    fate: 'fatal',
    text: () =>
      'refuses kafka.session_timeout: give one between its group.min.session.timeout.ms and group.max.session.timeout.ms (by default 6s to 30m)',
  },
  {
    of: ofType(/^ILLEGAL_SASL_STATE$/),
    fate: 'outage',
    text: ({ login }) =>
      `takes no login at present: its listener has no SASL (name another one in kafka.brokers, or remove kafka.sasl), or the session was too short to be renewed (${login ?? 'no login'})`,
  },
  {
    of: (error) =>
      error.type === 'UNSUPPORTED_SASL_MECHANISM' || /mechanism is not supported by the server/.test(error.message),
    fate: 'outage',
    text: ({ message }) => `does not know our kind of login (${message}; see kafka.sasl.mechanism)`,
  },
  // The program that renews the token or the password may be late.
  {
    of: (error) =>
      /^(KafkaJSSASLAuthenticationError|RefusedToken)$/.test(error.name) || error.type === 'SASL_AUTHENTICATION_FAILED',
    fate: 'outage',
    text: ({ message, login }) => `refuses our login (${message}; ${login ?? 'there is none'}; see kafka.sasl)`,
  },
  // The library does not say why: without a right on the group it finds none either.
  {
    of: ofName(/^KafkaJSGroupCoordinatorNotFound$/),
    fate: 'outage',
    text: ({ rights }) => `has no coordinator for us; if it stays so, give us the rights: ${rights}`,
  },
  { of: ofName(/^TokenError$/), fate: 'outage', text: ({ error }) => `cannot be asked: ${error.message}` },
  {
    of: ofType(/^UNKNOWN_TOPIC_OR_PARTITION$/),
    fate: 'outage',
    text: () => 'does not have the topic (create it, or correct its name)',
  },
  {
    of: ofMessage(/certificate|altname/i),
    fate: 'outage',
    text: ({ message }) =>
      `shows a certificate that is not trusted (${message}; see kafka.ssl.ca and kafka.ssl.server_name)`,
  },
  {
    of: ofMessage(/wrong version number|packet length too long/i),
    fate: 'outage',
    text: () => 'does not speak TLS (see kafka.ssl)',
  },
  {
    of: ofMessage(/before secure TLS connection was established/),
    fate: 'outage',
    text: () =>
      `${unreachable} by TLS: connections are closed before it begins; if it stays so, its listener has no TLS (see kafka.ssl)`,
  },
  // The first bytes of an alert of TLS, read as a length.
  {
    of: ofMessage(/a response of 35251[89]\d{3} bytes is announced/),
    fate: 'outage',
    text: () => 'answers in TLS (set kafka.ssl: true, or kafka.ssl.ca_file)',
  },
  { of: ofName(/^SilentError$/), fate: 'outage', text: ({ error }) => error.message },
  {
    of: ofMessage(/^Closed connection$/),
    fate: 'outage',
    text: ({ login }) =>
      login === undefined
        ? `${unreachable}: connections are closed; if it stays so, its listener wants a login (see kafka.sasl)`
        : unreachable,
  },
  {
    of: ofName(
      /^KafkaJS((Connection|ConnectionClosed|RequestTimeout|NoBrokerAvailable)Error|BrokerNotFound|(Lock)?Timeout)$/,
    ),
    fate: 'outage',
    text: () => unreachable,
  },
  {
    of: (error) =>
      /^KafkaJS(NumberOfRetriesExceeded|(Topic)?MetadataNotLoaded)$/.test(error.name) ||
      /^(LEADER_NOT_AVAILABLE|NOT_LEADER_FOR_PARTITION)$/.test(error.type ?? ''),
    fate: 'outage',
    text: ({ message }) => `has trouble (${message})`,
  },
];
