import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOutage } from '../../../src/adapters/kafka/kafka-outage.ts';
import { meaningOf } from '../../../src/adapters/kafka/kafka-texts.ts';

const named = { rights: 'Read on the topic t', login: 'user carol' };

/** Errors by name, type and message, as kafkajs raises them; their fate, and the text. */
const raised: readonly (readonly [error: object, fate: 'outage' | 'fatal', says: RegExp])[] = [
  [
    { name: 'KafkaJSProtocolError', type: 'TOPIC_AUTHORIZATION_FAILED', message: 'Not authorized to access topics' },
    'fatal',
    /^refuses us \(Not authorized .*\); give us the rights: Read on the topic t$/,
  ],
  [
    {
      name: 'KafkaJSProtocolError',
      type: 'INCONSISTENT_GROUP_PROTOCOL',
      message: "The group member's supported protocols",
    },
    'fatal',
    /other members .* another assignor .* \(kafka\.group_id\)$/,
  ],
  [
    { name: 'KafkaJSProtocolError', type: 'INVALID_SESSION_TIMEOUT', message: 'The session timeout is not within' },
    'fatal',
    /^refuses kafka\.session_timeout: .*group\.max\.session\.timeout\.ms/,
  ],
  [
    {
      name: 'KafkaJSProtocolError',
      type: 'ILLEGAL_SASL_STATE',
      message: 'Request is not valid given the current SASL',
    },
    'outage',
    /^takes no login at present: .* remove kafka\.sasl.*user carol/,
  ],
  [
    { name: 'KafkaJSSASLAuthenticationError', message: 'SASL PLAIN mechanism is not supported by the server' },
    'outage',
    /our kind of login .*kafka\.sasl\.mechanism/,
  ],
  [
    { name: 'KafkaJSSASLAuthenticationError', message: 'SASL PLAIN authentication failed' },
    'outage',
    /^refuses our login \(SASL PLAIN authentication failed; user carol; see kafka\.sasl\)$/,
  ],
  [{ name: 'RefusedToken', message: '{"status":"invalid_token"}' }, 'outage', /^refuses our login .*invalid_token/],
  [
    { name: 'KafkaJSGroupCoordinatorNotFound', message: 'Failed' },
    'outage',
    /^has no coordinator .*Read on the topic t$/,
  ],
  [{ name: 'TokenError', message: '/token cannot be read' }, 'outage', /^cannot be asked: \/token cannot be read$/],
  [
    { name: 'KafkaJSProtocolError', type: 'UNKNOWN_TOPIC_OR_PARTITION', message: 'This server does not host' },
    'outage',
    /^does not have the topic \(create it/,
  ],
  [
    { name: 'KafkaJSConnectionError', message: 'Connection error: self-signed certificate' },
    'outage',
    /certificate that is not trusted .*kafka\.ssl\.ca/,
  ],
  [
    { name: 'KafkaJSConnectionError', message: 'Connection error: wrong version number' },
    'outage',
    /^does not speak TLS \(see kafka\.ssl\)$/,
  ],
  // Recorded of Kafka 4.3.1: TLS towards a plain listener, none towards one of TLS, no login towards one that wants it.
  [
    {
      name: 'KafkaJSConnectionError',
      message: 'Connection error: Client network socket disconnected before secure TLS connection was established',
    },
    'outage',
    /^cannot be reached by TLS: .* no TLS \(see kafka\.ssl\)$/,
  ],
  [
    { name: 'KafkaJSConnectionError', message: 'Connection error: a response of 352518912 bytes is announced' },
    'outage',
    /^answers in TLS \(set kafka\.ssl: true/,
  ],
  [{ name: 'KafkaJSConnectionClosedError', message: 'Closed connection' }, 'outage', /^cannot be reached$/],
  [
    {
      name: 'KafkaJSProtocolError',
      type: 'UNSUPPORTED_SASL_MECHANISM',
      message: 'The broker does not support the requested SASL mechanism',
    },
    'outage',
    /our kind of login .*kafka\.sasl\.mechanism/,
  ],
  [{ name: 'SilentError', message: 'has not answered for 10 s' }, 'outage', /^has not answered for 10 s$/],
  [{ name: 'KafkaJSRequestTimeoutError', message: 'Request Fetch timed out' }, 'outage', /^cannot be reached$/],
  [
    { name: 'KafkaJSProtocolError', type: 'LEADER_NOT_AVAILABLE', message: 'No leader' },
    'outage',
    /^has trouble \(No leader\)$/,
  ],
  [{ name: 'TypeError', message: 'x is no function' }, 'fatal', /^has trouble \(x is no function\)$/],
  [{ name: 'KafkaJSError', message: 'odd', retriable: true }, 'outage', /^has trouble \(odd\)$/],
];

for (const [fields, fate, says] of raised) {
  const error = Object.assign(new Error(), fields);
  test(`${error.name} ${(fields as { type?: string }).type ?? error.message}`, () => {
    assert.match(meaningOf([error], named).text, says);
    assert.equal(isOutage(error), fate === 'outage');
    assert.equal(isOutage(new Error('a wrapper', { cause: error })), fate === 'outage');
  });
}

test('connections that are closed, without a login, name the setting that gives one', () => {
  const error = Object.assign(new Error('Closed connection'), { name: 'KafkaJSConnectionClosedError' });
  const { text } = meaningOf([error], { ...named, login: undefined });
  assert.match(text, /^cannot be reached: .* wants a login \(see kafka\.sasl\)$/);
});
