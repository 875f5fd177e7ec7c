import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** The last release that runs on Java 17. */
const version = '2.6.13.Final';

/** Starts a schema registry that keeps all in memory, fetched from Maven Central once; resolves with the address of its API like Confluent's. */
export async function startApicurio(context: Pick<TestContext, 'after'>): Promise<string> {
  const port = await freePort();
  const jar = join(apicurioFolder(), `apicurio-registry-app-${version}-runner.jar`);
  const settings = [`-Dquarkus.http.port=${port}`, '-Dquarkus.http.host=127.0.0.1'];
  const registry = spawn('java', ['-Xmx300m', ...settings, '-jar', jar], { stdio: 'ignore' });
  context.after(() => void registry.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}/apis/ccompat/v7`;
  await until(
    'the registry answers',
    () =>
      fetch(`${url}/subjects`).then(
        ({ ok }) => ok,
        () => false,
      ),
    120_000,
  );
  return url;
}

function apicurioFolder(): string {
  const home = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'assay');
  const folder = join(home, `apicurio-${version}`);
  if (existsSync(folder)) return folder;
  const work = join(home, `fetch-${process.pid}`);
  mkdirSync(work, { recursive: true });
  const artifact = `io.apicurio:apicurio-registry-app:${version}:tar.gz:all`;
  run('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${work}`], work);
  run('tar', ['xzf', `apicurio-registry-app-${version}-all.tar.gz`], work);
  rmSync(join(work, `apicurio-registry-app-${version}-all.tar.gz`));
  renameSync(work, folder);
  return folder;
}

function run(program: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? `${stdout}${stderr}`}`);
}
