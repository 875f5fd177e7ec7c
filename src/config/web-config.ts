import { dirname, resolve } from 'node:path';
import { createSecureContext, getCiphers, type SecureContextOptions } from 'node:tls';
import { parse } from 'yaml';
import * as z from 'zod';
import { UsageError } from '../errors.ts';
import { durationOf, durationPattern } from './duration.ts';
import { textOf } from './text-file.ts';

/** Access to the port: the content of a web configuration file, with the files that it names. */
export interface WebConfig {
  readonly tls: WebTls | undefined;
  /** Hash of the password by user name; no login is needed where it is empty. */
  readonly users: ReadonlyMap<string, string>;
  /** Headers of every response, in lower case, over the standard ones. */
  readonly headers: Readonly<Record<string, string>>;
  readonly rateLimit: { readonly intervalMs: number; readonly burst: number } | undefined;
}

export interface WebTls {
  readonly context: SecureContextOptions;
  readonly clientAuth: ClientAuth;
  /** One of the names of a client's certificate must be among them; undefined: any. */
  readonly allowedSans: readonly string[] | undefined;
}

export type ClientAuth = (typeof clientAuthTypes)[number];

const clientAuthTypes = [
  'NoClientCert',
  'RequestClientCert',
  'RequireAnyClientCert',
  'VerifyClientCertIfGiven',
  'RequireAndVerifyClientCert',
] as const;

/**
 * Reads a file of the form that Prometheus and its exporters take with `--web.config.file`
 * (docs/reference/security.md, "The file of http.web_config"). Paths in it are relative to its folder.
 * Throws a `UsageError` that names file, key and remedy; no message holds a password's hash or a private key.
 */
export function readWebConfig(file: string): WebConfig {
  const parsed = documentSchema.safeParse(parsedText(file) ?? {});
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path, message }) => `${file}: ${[...path, message].join(': ')}`);
    throw new UsageError(lines.join('\n'));
  }
  const { tls_server_config: tls, http_server_config: http, basic_auth_users: users, rate_limit: rate } = parsed.data;
  return {
    tls: tls === undefined ? undefined : tlsOf(file, tls),
    users: new Map(Object.entries(users)),
    headers: Object.fromEntries(
      Object.entries(http.headers).flatMap(([name, value]) => (value ? [[name.toLowerCase(), value]] : [])),
    ),
    rateLimit: rate === undefined || rate.interval === 0 ? undefined : { intervalMs: rate.interval, burst: rate.burst },
  };
}

/** Returns whether a request is authenticated: by a password, or by a certificate that was verified. */
export function hasLogin({ users, tls }: WebConfig): boolean {
  return users.size > 0 || tls?.clientAuth === 'RequireAndVerifyClientCert';
}

const text = z.string({ error: 'is not text' });
const version = z.enum(['TLS10', 'TLS11', 'TLS12', 'TLS13'], { error: 'is none of TLS10, TLS11, TLS12, TLS13' });
const curves = { CurveP256: 'P-256', CurveP384: 'P-384', CurveP521: 'P-521', X25519: 'X25519' };
const unknown = {
  error: (issue: { code?: string; keys?: string[] }) =>
    issue.code === 'unrecognized_keys' ? `unknown key ${issue.keys!.join(', ')}` : 'is no set of keys',
};
const oneOf = (...values: readonly string[]) =>
  text.refine((value) => ['', ...values].includes(value.toLowerCase()), { error: `is none of ${values.join(', ')}` });

const tlsSchema = z.strictObject(
  {
    cert: text.optional(),
    cert_file: text.optional(),
    key: text.optional(),
    key_file: text.optional(),
    client_ca: text.optional(),
    client_ca_file: text.optional(),
    // An older name that is still taken.
    client_auth_type: z.preprocess(
      (name) => (name === 'RequireClientCert' ? 'RequireAnyClientCert' : name === '' ? undefined : name),
      z.enum(clientAuthTypes, { error: `is none of ${clientAuthTypes.join(', ')}` }).default('NoClientCert'),
    ),
    client_allowed_sans: z.array(text).optional(),
    min_version: version.default('TLS12'),
    max_version: version.default('TLS13'),
    cipher_suites: z
      .array(
        text.transform((name, context) => {
          const known = cipherOf(name);
          if (known === undefined)
            context.addIssue({ code: 'custom', message: `${name} is no cipher suite of this program's TLS` });
          return known ?? '';
        }),
      )
      .default([]),
    prefer_server_cipher_suites: z.boolean().default(true),
    curve_preferences: z
      .array(
        z.enum(Object.keys(curves) as (keyof typeof curves)[], {
          error: `is none of ${Object.keys(curves).join(', ')}`,
        }),
      )
      .default([]),
  },
  unknown,
);

const documentSchema = z.strictObject(
  {
    tls_server_config: tlsSchema.optional(),
    http_server_config: z
      .strictObject(
        {
          // Answers are HTTP/1.1 either way, which every client of HTTP/2 speaks.
          http2: z.boolean().default(true),
          headers: z
            .strictObject(
              {
                'Content-Security-Policy': text.default(''),
                'X-Frame-Options': oneOf('deny', 'sameorigin').default(''),
                'X-Content-Type-Options': oneOf('nosniff').default(''),
                'X-XSS-Protection': z.coerce.string().default(''),
                'Strict-Transport-Security': text.default(''),
              },
              unknown,
            )
            .prefault({}),
        },
        unknown,
      )
      .prefault({}),
    basic_auth_users: z
      .record(
        z.string(),
        z.string().regex(/^\$2[abxy]?\$\d\d\$[./A-Za-z0-9]{53}$/, {
          error: 'is no bcrypt hash; make one with htpasswd -nBC 10 ""',
        }),
      )
      .default({}),
    rate_limit: z
      .strictObject(
        {
          interval: z
            .union([z.literal(0), z.literal('0'), z.string().regex(durationPattern)], {
              error: 'is no duration, such as 1s',
            })
            .transform((value) => (typeof value === 'string' && value !== '0' ? durationOf(value).ms : 0)),
          burst: z.int().min(0).default(0),
        },
        unknown,
      )
      .optional(),
  },
  unknown,
);

function parsedText(file: string): unknown {
  const content = readText(file, file, 'http.web_config');
  try {
    return parse(content);
  } catch (error) {
    // What the library stumbled over may be a secret: it stands behind a colon.
    throw new UsageError(`${file}: is not YAML: ${(error as Error).message.split(':')[0]}`);
  }
}

function tlsOf(file: string, given: z.output<typeof tlsSchema>): WebTls {
  const pem = (name: 'cert' | 'key' | 'client_ca'): string | undefined => {
    const path = given[`${name}_file`];
    return path
      ? readText(resolve(dirname(file), path), file, `tls_server_config: ${name}_file`)
      : given[name] || undefined;
  };
  const [cert, key, ca] = [pem('cert'), pem('key'), pem('client_ca')];
  const refuse = (problem: string): never => {
    throw new UsageError(`${file}: tls_server_config: ${problem}`);
  };
  if (cert === undefined) refuse('cert_file is missing; name the certificate of this address');
  if (key === undefined) refuse('key_file is missing; name the private key of the certificate');
  if (ca !== undefined && given.client_auth_type === 'NoClientCert') {
    refuse('client_ca_file needs client_auth_type, such as RequireAndVerifyClientCert');
  }
  const context: SecureContextOptions = {
    ...{ cert, key, ca, honorCipherOrder: given.prefer_server_cipher_suites },
    minVersion: nodeVersion(given.min_version),
    maxVersion: nodeVersion(given.max_version),
    ...(given.cipher_suites.length > 0 && { ciphers: given.cipher_suites.join(':') }),
    ...(given.curve_preferences.length > 0 && {
      ecdhCurve: given.curve_preferences.map((name) => curves[name]).join(':'),
    }),
  };
  try {
    createSecureContext(context);
  } catch (error) {
    refuse(`certificate and key cannot be used: ${(error as Error).message}`);
  }
  return { context, clientAuth: given.client_auth_type, allowedSans: given.client_allowed_sans };
}

function readText(path: string, file: string, key: string): string {
  try {
    return textOf(path);
  } catch (error) {
    throw new UsageError(`${file}: ${key} cannot be read: ${(error as Error).message}`);
  }
}

/** `TLS12` is `TLSv1.2`. */
function nodeVersion(name: z.output<typeof version>): 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3' {
  return name === 'TLS10' ? 'TLSv1' : `TLSv1.${name.at(-1) as '1' | '2' | '3'}`;
}

/** OpenSSL's name of a cipher suite: `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` is `ECDHE-RSA-AES128-GCM-SHA256`, names of TLS 1.3 stay. */
function cipherOf(name: string): string | undefined {
  const older = name
    .replace(/^TLS_(RSA_WITH_)?/, '')
    .replace('WITH_', '')
    .replace(/AES_(\d+)/, 'AES$1')
    .replace('_CBC', '')
    .replace('POLY1305_SHA256', 'POLY1305')
    .replaceAll('_', '-');
  const known = getCiphers().map((cipher) => cipher.toUpperCase());
  return [name, older].find((one) => known.includes(one));
}
