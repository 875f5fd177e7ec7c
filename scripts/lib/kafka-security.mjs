import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './kafka-jars.mjs';

const username = 'assay';
const password = 'a password';
const keyPassword = 'changeit';

/**
 * What a listener needs that speaks TLS, by a certificate of its own, and asks for a user's password by any mechanism.
 *
 * @param {string} folder where the key lies
 * @param {string} host the certificate's
 * @returns {Promise<{ ca: string, username: string, password: string, formatArgs: string[], properties: string }>}
 */
export async function kafkaSecurity(folder, host) {
  const keyStore = join(folder, 'broker.p12');
  await rm(keyStore, { force: true });
  const store = ['-keystore', keyStore, '-storetype', 'PKCS12', '-storepass', keyPassword, '-alias', 'broker'];
  const key = ['-keyalg', 'EC', '-dname', `CN=${host}`, '-ext', `san=ip:${host}`, '-validity', '30'];
  await keytool(['-genkeypair', ...store, ...key]);
  const certificate = join(folder, 'broker.pem');
  await keytool(['-exportcert', '-rfc', ...store, '-file', certificate]);
  const scram = ['SCRAM-SHA-256', 'SCRAM-SHA-512'];
  return {
    ca: await readFile(certificate, 'utf8'),
    username,
    password,
    formatArgs: scram.flatMap((name) => ['--add-scram', `${name}=[name=${username},password=${password}]`]),
    properties: properties(keyStore, scram),
  };
}

async function keytool(args) {
  const { status, output } = await run('keytool', args);
  if (status !== 0) throw new Error(`keytool ${args[0]} failed:\n${output}`);
}

function properties(keyStore, scram) {
  const modules = 'org.apache.kafka.common.security';
  const lines = {
    'sasl.enabled.mechanisms': ['PLAIN', 'OAUTHBEARER', ...scram].join(),
    // Takes tokens that nobody signed.
    'oauthbearer.sasl.jaas.config': `${modules}.oauthbearer.OAuthBearerLoginModule required;`,
    'plain.sasl.jaas.config': `${modules}.plain.PlainLoginModule required user_${username}="${password}";`,
    ...Object.fromEntries(
      scram.map((name) => [`${name.toLowerCase()}.sasl.jaas.config`, `${modules}.scram.ScramLoginModule required;`]),
    ),
    'ssl.keystore.type': 'PKCS12',
    'ssl.keystore.location': keyStore,
    'ssl.keystore.password': keyPassword,
    'ssl.key.password': keyPassword,
  };
  // Whoever needs no password may do everything; others may do what no right is asked for.
  return `authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS
allow.everyone.if.no.acl.found=true
${Object.entries(lines)
  .map(([name, value]) => `listener.name.secure.${name}=${value}\n`)
  .join('')}`;
}
