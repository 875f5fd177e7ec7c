import type { ConnectionOptions, SecureContextOptions } from 'node:tls';
import type { Config } from './config.ts';
import { textOf } from './text-file.ts';

/**
 * Options of a connection to a broker. What comes from files is read whenever it is asked for, which is once for each connection: a
 * certificate that was renewed counts from the next one on.
 */
export function tlsOptions(ssl: Exclude<Config['kafka']['ssl'], boolean>): ConnectionOptions {
  const { server_name, passphrase, ca, cert, key, ca_file, cert_file, key_file } = ssl;
  const options: Record<string, unknown> = {};
  const given = { passphrase, ca, cert, key, servername: server_name };
  // kafkajs names the broker's host to the server (SNI) unless `servername` is there, be it undefined.
  for (const [name, value] of Object.entries(given)) if (value !== undefined) options[name] = value;
  const files = { ca: ca_file, cert: cert_file, key: key_file };
  for (const [name, file] of Object.entries(files)) {
    if (file === undefined) continue;
    Object.defineProperty(options, name, { enumerable: true, get: () => contentOf(`kafka.ssl.${name}_file`, file) });
  }
  return options;
}

/** Options of a connection to a schema registry, its file read now. */
export function registryTls(registry: Config['kafka']['schema_registry']): SecureContextOptions {
  const { ca_file } = registry ?? {};
  return ca_file === undefined ? {} : { ca: contentOf('kafka.schema_registry.ca_file', ca_file) };
}

function contentOf(key: string, file: string): string {
  try {
    return textOf(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'is missing; put it there' : `cannot be read (${message}); make it readable`;
    throw new Error(`${key}: ${file} ${why}, or name another file`, { cause: error });
  }
}
