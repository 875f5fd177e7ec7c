import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { processToken } from '../../src/adapters/object-store/folder-store.ts';
import { type OpenStore, openStore } from '../../src/adapters/object-store/open-store.ts';
import { freePort } from './free-port.ts';
import { goProgram } from './go-program.ts';
import { soak } from './soak.ts';
import { until } from './until.ts';

/** A server of S3's protocol over a folder, with one bucket. */
export interface TestBucket {
  /** `http://127.0.0.1:PORT` */
  readonly endpoint: string;
  /** `s3://bucket` */
  readonly location: string;
  readonly env: Readonly<Record<string, string>>;
  /** The same, and where it is: for commands that are given no configuration. */
  readonly envWithEndpoint: Readonly<Record<string, string>>;
  /** Where its objects lie as files. */
  readonly folder: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

const version = 'v1.8.0';
const credentials = { AWS_ACCESS_KEY_ID: 'assay', AWS_SECRET_ACCESS_KEY: 'assay-secret', AWS_REGION: 'us-east-1' };

/** A suite of tests with a bucket, of the soak: the server (versitygw, Apache-2.0) is built with Go, once. */
export function withBucket(name: string, body: (bucket: () => TestBucket) => void): void {
  const skip = soak ? false : 'npm run test:soak';
  describe(name, { skip, timeout: 1_200_000 }, () => {
    let bucket: TestBucket | undefined;
    const data = mkdtempSync(join(tmpdir(), 'assay-bucket-'));
    before(async () => {
      bucket = await startBucket(data);
    });
    after(async () => {
      await bucket?.stop();
      rmSync(data, { recursive: true, force: true });
    });
    body(() => bucket!);
  });
}

/** The store of a prefix in a bucket, with the endpoint of a proxy where one is given. */
export async function storeInBucket(
  { endpoint, location }: TestBucket,
  prefix: string,
  { by = endpoint, cache }: { readonly by?: string; readonly cache?: string } = {},
): Promise<OpenStore> {
  const s3 = { endpoint: by, region: 'us-east-1', pathStyle: undefined };
  return await openStore({ location: `${location}/${prefix}`, s3, cache, token: processToken });
}

/** Starts the server over a folder. Programs that this process starts find its credentials in their environment. */
export async function startBucket(data: string): Promise<TestBucket> {
  Object.assign(process.env, credentials);
  const port = await freePort();
  const program = goProgram('github.com/versity/versitygw/cmd/versitygw', version);
  mkdirSync(join(data, 'assay'), { recursive: true });
  const endpoint = `http://127.0.0.1:${port}`;
  const env = { ROOT_ACCESS_KEY: credentials.AWS_ACCESS_KEY_ID, ROOT_SECRET_KEY: credentials.AWS_SECRET_ACCESS_KEY };
  const running: { child: ChildProcess | undefined } = { child: undefined };
  const start = async (): Promise<void> => {
    running.child = spawn(program, ['--quiet', '--port', `127.0.0.1:${port}`, 'posix', '--nometa', data], {
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    await until('the object store answers', () =>
      fetch(endpoint).then(
        () => true,
        () => false,
      ),
    );
  };
  const stop = async (): Promise<void> => {
    const { child } = running;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  };
  await start();
  const envWithEndpoint = { ...credentials, AWS_ENDPOINT_URL_S3: endpoint };
  return {
    endpoint,
    location: 's3://assay',
    env: credentials,
    envWithEndpoint,
    folder: join(data, 'assay'),
    start,
    stop,
  };
}
