import { get as getHttp } from 'node:http';
import { get as getHttps, type RequestOptions } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import type { NamedSchema, RegisteredSchema } from '../../formats/framed/frame.ts';
import { Unreadable } from '../../formats/framed/unreadable.ts';

/** How a schema registry is reached. */
export interface RegistrySettings {
  /** Address of the API that Confluent's registry has, and others in its place. */
  readonly url: string;
  readonly login: { readonly username: string; readonly password: string } | undefined;
  /** Read anew for each request: files may be renewed. */
  readonly tls: () => SecureContextOptions;
}

/**
 * The schema of an id with all that it refers to; undefined where the registry says that it has none. Rejects where the registry cannot be
 * asked, or answers something else; with `Unreadable` where it has not all that the schema refers to. API: docs.confluent.io, "Schema Registry API Reference".
 */
export async function fetchRegistered(settings: RegistrySettings, id: number): Promise<RegisteredSchema | undefined> {
  const found = await ask(settings, `schemas/ids/${id}`);
  if (found === undefined) return undefined;
  const references: NamedSchema[] = [];
  await addReferences(settings, found, references, new Set());
  return { type: found.schemaType ?? 'AVRO', schema: found.schema, references };
}

/** An answer of the API. */
interface Answer {
  readonly schema: string;
  readonly schemaType?: string;
  readonly references?: readonly Reference[];
}

interface Reference {
  readonly name: string;
  readonly subject: string;
  readonly version: number;
}

const referencesMost = 200;

/** Adds what a schema refers to, the deepest first. Names that were `met` are there, or on their way: circles end. */
async function addReferences(
  settings: RegistrySettings,
  { references = [] }: Answer,
  into: NamedSchema[],
  met: Set<string>,
): Promise<void> {
  for (const { name, subject, version } of references) {
    if (met.has(name)) continue;
    met.add(name);
    if (met.size > referencesMost) throw new Unreadable('schema', `it refers to more than ${referencesMost} others`);
    const found = await ask(settings, `subjects/${encodeURIComponent(subject)}/versions/${version}`);
    if (found === undefined)
      throw new Unreadable('schema', `it refers to version ${version} of ${subject}, which is not there`);
    await addReferences(settings, found, into, met);
    into.push({ name, schema: found.schema });
  }
}

async function ask(settings: RegistrySettings, path: string): Promise<Answer | undefined> {
  const url = `${settings.url.replace(/\/+$/, '')}/${path}`;
  const { status, text } = await request(url, settings).catch((error: Error) => {
    throw new Error(`${url}: ${error.message || (error as NodeJS.ErrnoException).code}; see kafka.schema_registry`, {
      cause: error,
    });
  });
  const answer = parsed(text);
  if (status === 404 && isAbsent(answer?.['error_code'])) return undefined;
  if (status === 200 && typeof answer?.['schema'] === 'string') return answer as unknown as Answer;
  throw new Error(`${url}: status ${status}, which is no answer of a schema registry; see kafka.schema_registry`);
}

/** The registry's own words for "no such schema", "subject", "version": an address that is wrong answers 404 too. */
function isAbsent(code: unknown): boolean {
  return code === 40403 || code === 40401 || code === 40402;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>> | undefined;
  } catch {
    return undefined;
  }
}

const requestMs = 10_000;
/** More than a registry takes of a schema. */
const bytesMost: number = 4 * 2 ** 20;

interface Reply {
  readonly status: number;
  readonly text: string;
}

async function request(url: string, { login, tls }: RegistrySettings): Promise<Reply> {
  const isSecure = url.startsWith('https:');
  const options: RequestOptions = {
    headers: { accept: 'application/vnd.schemaregistry.v1+json, application/json' },
    signal: AbortSignal.timeout(requestMs),
    ...(login && { auth: `${login.username}:${login.password}` }),
    ...(isSecure && tls()),
    // Schemas are asked for now and then: a connection that was kept would be closed by then.
    agent: false,
  };
  return await new Promise((resolve, reject) => {
    const asked = (isSecure ? getHttps : getHttp)(url, options, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > bytesMost) asked.destroy(new Error(`the answer has more than ${bytesMost} bytes`));
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    });
    asked.on('error', reject);
  });
}
