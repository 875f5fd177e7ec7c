import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { RegisteredSchema } from '../../src/formats/framed/frame.ts';
import { type ValueReader, valueReader } from '../../src/formats/framed/registered.ts';
import type { Opened } from '../../src/stream/event.ts';
import { recordOf } from './event-reader.ts';

/** What a schema registry answers, by path: recorded ones, or made up. */
export type RegistryAnswers = Readonly<Record<string, object>>;

/** Framed values of one list of events, with the answers of the registry that they were written with (test/support/write_frames.py). */
export interface RecordedFrames {
  readonly events: readonly { readonly example_id: string }[];
  readonly answers: Readonly<Record<string, RegisteredAnswer>>;
  /** Files of Protobuf as text by name; of the values themselves under ''. */
  readonly texts: Readonly<Record<string, string>>;
  /** By form, in base64. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

interface RegisteredAnswer {
  readonly schema: string;
  readonly schemaType?: string;
  readonly references?: readonly { readonly name: string; readonly subject: string; readonly version: number }[];
}

export function recordedFrames(): RecordedFrames {
  const file = new URL('../../../test/fixtures/framed/frames.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as RecordedFrames;
}

/** The schema of an id, out of recorded answers. */
export function registeredSchema({ answers }: Pick<RecordedFrames, 'answers'>, id: number): RegisteredSchema {
  const { schemaType: type = 'AVRO', schema, references = [] } = answers[`schemas/ids/${id}`]!;
  const named = references.map(({ name, subject, version }) => {
    return { name, schema: answers[`subjects/${subject}/versions/${version}`]!.schema };
  });
  return { type, schema, references: named };
}

export const frameLimits: { readonly depth: number; readonly values: number } = { depth: 64, values: 100_000 };

/** A value behind a frame. */
export function framed(id: number, value: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(id, 1);
  return Buffer.concat([head, value]);
}

/** What a frame holds. */
export function openedBy(read: ValueReader, value: Uint8Array, limits = frameLimits): Opened {
  return read(recordOf(value), limits);
}

/** What a value of a schema holds. */
export function openedWith(
  registered: Omit<RegisteredSchema, 'references'> & Partial<RegisteredSchema>,
  value: Uint8Array,
) {
  return openedBy(valueReader(1, { references: [], ...registered }), framed(1, value));
}

export interface RegistryServer {
  readonly url: string;
  readonly port: number;
  /** Paths, in order. */
  readonly asked: string[];
  /** Answers from now on; undefined: those that it began with. */
  instead: ((response: ServerResponse) => void) | undefined;
  close(): Promise<void>;
}

interface RegistryServerOptions {
  readonly port?: number;
  /** What the header of that name must hold. */
  readonly authorization?: string;
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A server with the API of Confluent's registry, as far as its readers ask. Ends with the test. */
export async function registryServer(
  context: Pick<TestContext, 'after'>,
  answers: RegistryAnswers,
  { port = 0, authorization, tls }: RegistryServerOptions = {},
): Promise<RegistryServer> {
  const asked: string[] = [];
  const registry: { -readonly [Key in keyof RegistryServer]: RegistryServer[Key] } = {
    ...{ url: '', port: 0, asked, instead: undefined, close: () => closed(server) },
  };
  const answer = ({ url = '', headers }: IncomingMessage, response: ServerResponse): void => {
    const path = decodeURIComponent(url.slice(1));
    asked.push(path);
    if (registry.instead !== undefined) {
      registry.instead(response);
      return;
    }
    if (authorization !== undefined && headers.authorization !== authorization)
      return void response.writeHead(401).end();
    if (answers[path] !== undefined) return void response.end(JSON.stringify(answers[path]));
    const error_code = path.startsWith('schemas/ids/') ? 40403 : 40401;
    response.writeHead(404).end(JSON.stringify({ error_code, message: 'not found' }));
  };
  const server = tls === undefined ? createServer(answer) : createSecureServer(tls, answer);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => registry.close());
  registry.port = (server.address() as AddressInfo).port;
  registry.url = tls === undefined ? `http://127.0.0.1:${registry.port}` : `https://localhost:${registry.port}`;
  return registry;
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
