import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Absolute path of a file of `test/fixtures`. Tests run with the checkout as their working folder. */
export function fixture(path: string): string {
  return resolve('test/fixtures', path);
}

/** The recorded cases of `conformance/<name>.json`. */
export function recordedCases<Case>(name: string): Case[] {
  return JSON.parse(readFileSync(fixture(`conformance/${name}.json`), 'utf8')) as Case[];
}

/** The records of `traffic/<name>.ndjson`. */
export function recordedTraffic<Line>(name: string): Line[] {
  return readFileSync(fixture(`traffic/${name}.ndjson`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}
