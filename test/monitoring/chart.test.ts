import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { chartFiles } from '../../packages/monitoring/chart.ts';

/* The chart as files; helm renders it in helm.test.ts. */

test('chart and program have one version', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  const chart = parse(readFileSync('deploy/helm/Chart.yaml', 'utf8')) as Record<string, string>;
  assert.deepEqual([chart['version'], chart['appVersion']], [version, version]);
});

test('every value does something', () => {
  const readme = readFileSync('deploy/helm/README.md', 'utf8');
  const names = [...readme.matchAll(/^\| `([\w.]+)`/gm)].map(([, name]) => name!);
  assert.ok(names.length > 40);
  const folder = 'deploy/helm/templates';
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name));
  const templates = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  for (const name of names.filter((each) => !each.startsWith('config.')))
    assert.match(templates, new RegExp(`[."]${name.split('.').at(-1)!}\\b`), name);
});

test('a value without a comment stops the generator', () => {
  assert.throws(() => chartFiles('a: 1\n'), /a has no comment/);
  assert.throws(() => chartFiles('s:\n  # Meant.\n  a: 1\n  b: 2\n'), /s\.b has no comment/);
});
