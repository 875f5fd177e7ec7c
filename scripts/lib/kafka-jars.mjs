import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Kafka versions that the scripts start, newest first. */
export const defaultKafkaVersion = '4.3.1';

/**
 * Folder with the jars of a Kafka broker, or of Kafka Streams, fetched from Maven Central once and kept in the user's cache folder.
 *
 * @param {{ version: string, artifact?: 'kafka_2.13' | 'kafka-streams', say: (line: string) => void }} options
 * @returns {Promise<string>}
 */
export async function kafkaJars({ version, artifact = 'kafka_2.13', say }) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`Kafka version "${version}": give one such as 4.3.1`);
  await require('java', ['-version'], 'Java 17 or newer (for example: apt-get install openjdk-17-jre-headless)');
  const name = `${artifact.replace(/_.*/, '')}-${version}`;
  const home = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'assay', name);
  const jars = join(home, 'libs');
  if (existsSync(jars)) return jars;
  await require('mvn', ['-v'], 'Maven, to fetch it (for example: apt-get install maven)');
  say(`Fetching ${name} into ${home} ...`);
  await mkdir(home, { recursive: true });
  const work = await mkdtemp(join(home, 'fetch-'));
  try {
    await writeFile(join(work, 'pom.xml'), pom(artifact, version));
    const fetched = await run('mvn', [
      ...['-q', '-B', '-Dstyle.color=never', '-f', join(work, 'pom.xml'), 'dependency:copy-dependencies'],
      ...['-DincludeScope=runtime', `-DoutputDirectory=${join(work, 'libs')}`],
    ]);
    if (fetched.status !== 0) throw new Error(`Maven could not fetch ${name}:\n${fetched.output}`);
    // A process that fetched at the same time may have put the same jars there already.
    await rename(join(work, 'libs'), jars).catch((error) => {
      if (!existsSync(jars)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return jars;
}

async function require(command, args, what) {
  const { status } = await run(command, args).catch(() => ({ status: -1 }));
  if (status !== 0) {
    throw new Error(
      `"${command}" does not run: install ${what}, or set KAFKA_BROKERS=host:port to use a running Kafka`,
    );
  }
}

function pom(artifact, version) {
  const dependency = (group, artifact, of) =>
    `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${of}</version></dependency>`;
  return `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>local</groupId><artifactId>jars</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>
${dependency('org.apache.kafka', artifact, version)}
${dependency('org.slf4j', 'slf4j-simple', '1.7.36')}
</dependencies></project>
`;
}

/**
 * Runs a command to its end.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<{ status: number | null, output: string }>}
 */
export function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (bytes) => {
      output = (output + bytes).slice(-8000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, output }));
  });
}
