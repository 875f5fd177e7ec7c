import { createReviewed } from '../../src/service/review.ts';
import type { TestContext } from 'node:test';
import type { Route } from '../../src/adapters/http/answering.ts';
import type { HttpOptions, HttpServer } from '../../src/adapters/http/server.ts';
import type { Config } from '../../src/config/config.ts';
import type { Intake, IntakeKind, IntakeRefusal } from '../../src/ports.ts';
import { doorOf, type OpenDoor } from '../../src/service/door.ts';
import { createIngestCounts, type IngestCounts } from '../../src/telemetry.ts';
import { configOf } from './configuration.ts';
import { type Answer, ask, serving } from './http.ts';

/** A record that was appended, as text. */
export interface Appended {
  readonly kind: IntakeKind;
  readonly key: string | undefined;
  /** An id that chooses the partition, or 0. */
  readonly partition: string | 0 | undefined;
  readonly value: string | null;
  readonly bytes: Uint8Array;
}

/** An intake that keeps what it is given in memory. */
export interface MemoryIntake extends Intake {
  readonly appended: Appended[];
  /** Why it takes nothing. */
  refused: IntakeRefusal | undefined;
  /** What appending fails with. */
  failure: Error | undefined;
}

export function memoryIntake(): MemoryIntake {
  const intake: MemoryIntake = {
    appended: [],
    refused: undefined,
    failure: undefined,
    refusal: () => intake.refused,
    async append(kind, records) {
      if (intake.failure !== undefined) throw intake.failure;
      for (const { key, value, partition } of records)
        intake.appended.push({
          kind,
          key: key && Buffer.from(key).toString(),
          partition: partition && Buffer.from(partition).toString(),
          value: value && Buffer.from(value).toString(),
          bytes: Buffer.from(value ?? []),
        });
    },
  };
  return intake;
}

/** A door that is served. */
export interface DoorScene {
  readonly server: HttpServer;
  readonly intake: MemoryIntake;
  readonly stopping: AbortController;
  readonly counts: IngestCounts;
  post(path: string, body: string | Buffer, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

interface DoorSettings {
  /** Content of `assay.yaml`. */
  readonly yaml?: string;
  /** Paths that are read, beside the door. */
  readonly reads?: readonly Route[];
  /** Reasons why records of a kind are not taken. */
  readonly refused?: OpenDoor['refused'];
}

/** The configuration by which a log of records of any form is read. */
export function anyForm(config: Config): Config {
  return { ...config, input: { ...config.input, format: config.input.format ?? 'auto' } };
}

/** Serves the door of a configuration at a loopback address for as long as the check takes. */
export async function withDoor(
  context: TestContext,
  check: (scene: DoorScene) => Promise<void>,
  { yaml = '', reads = [], refused, ...more }: DoorSettings & Partial<HttpOptions> = {},
): Promise<void> {
  const intake = memoryIntake();
  const stopping = new AbortController();
  const counts = createIngestCounts();
  const config = anyForm(configOf(context, { yaml }));
  const routes = [...reads, ...doorOf(config, { intake, refused, signal: stopping.signal }, counts, createReviewed())];
  await serving(
    routes,
    (server) =>
      check({
        ...{ server, intake, stopping, counts },
        post: (path, body, headers = { 'content-type': 'application/json' }) =>
          ask(server, path, { method: 'POST', body, headers }),
      }),
    { openToWrite: true, ...more },
  );
}

/** The document of an answer. */
export function jsonOf({ bytes }: Answer): Record<string, unknown> {
  return JSON.parse(bytes.toString()) as Record<string, unknown>;
}

/** The problem of a refusal, and its remedy. */
export function problemIn(answer: Answer): string {
  const { error, remedy } = jsonOf(answer);
  return `${String(error)}; ${String(remedy)}`;
}
