import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from './support/temporary-folder.ts';
import { type Outcome, runCommand } from './support/tools.ts';

interface Component {
  readonly name: string;
  readonly version: string;
}

const { components } = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8')) as {
  readonly components: readonly Component[];
};
const named = components.map(({ name, version }) => `${name}@${version}`).sort();

test('the SBOM lists what npm installs without development packages', async () => {
  const { stdout } = await runCommand('npm', ['ls', '--omit=dev', '--all', '--parseable', '--long']);
  const [_project, ...installed] = stdout.trim().split('\n');
  assert.ok(installed.length > 30);
  assert.deepEqual(named, installed.map((line) => line.split(':')[1]!).sort());
});

test('each of them has the text of its licence in the notices', () => {
  const notices = readFileSync('dist/third-party-notices.txt', 'utf8').split(/\n-{80}\n\n/);
  assert.deepEqual(notices.map((notice) => notice.slice(0, notice.indexOf('\n')).replace(' ', '@')).sort(), named);
  for (const notice of notices) assert.match(notice, /copyright|Apache License/i);
});

test('the package holds the program, its schemas, the SBOM and the notices', async () => {
  const { stdout } = await runCommand('npm', ['pack', '--dry-run', '--json']);
  const [{ files }] = JSON.parse(stdout) as [{ readonly files: readonly { readonly path: string }[] }];
  const paths = files.map(({ path }) => path).filter((path) => !/^(dist\/bin|schemas)\//.test(path));
  const expected = [
    'LICENSE',
    'README.md',
    'dist/page/index.html',
    'dist/sbom.cdx.json',
    'dist/third-party-notices.txt',
  ];
  assert.deepEqual(paths.sort(), [...expected, 'package.json']);
});

test('a package with a binary for each platform has them all in the lock file', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  const wanted = shipped.flatMap(([, { optionalDependencies = {} }]) => Object.keys(optionalDependencies));
  assert.ok(wanted.length > 40);
  assert.deepEqual(
    wanted.filter((name) => !(`node_modules/${name}` in packages)),
    [],
  );
});

test('every npm leaves the lock file as it is: npm 10 of Node 20 drops what npm 11 says of libc', () => {
  assert.doesNotMatch(readFileSync('package-lock.json', 'utf8'), /"libc":/);
});

interface Locked {
  readonly dev?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const unfit = [
  { what: 'a licence that is not permissive', locked: { license: 'GPL-3.0' }, message: /its licence is GPL-3.0/ },
  { what: 'a licence of which a part is not', locked: { license: 'MIT AND LGPL-2.1' }, message: /MIT AND LGPL-2.1/ },
  { what: 'no licence', locked: {}, message: /its licence is undefined/ },
  { what: 'an install script', locked: { license: 'MIT', hasInstallScript: true }, message: /it runs a script/ },
  { what: 'no text of its licence', locked: { license: 'MIT' }, text: '', message: /without the text of its licence/ },
];

for (const { what, locked, text, message } of unfit) {
  test(`is not shipped: a package with ${what}`, async (context) => {
    const { status, stderr } = await listed(context, locked, text);
    assert.equal(status, 1);
    assert.match(stderr, message);
  });
}

for (const license of ['MIT', '(MIT OR GPL-3.0)', 'MIT AND BSD-3-Clause']) {
  test(`is shipped: a package with licence ${license}`, async (context) => {
    assert.deepEqual(await listed(context, { license }), { status: 0, stdout: '', stderr: '' });
  });
}

test('a development package is in no bundle', async () => {
  const script = `import { assertShipped } from './scripts/lib/shipped.mjs';
    assertShipped({ inputs: { 'src/main.ts': {}, 'node_modules/zod/index.js': {}, [process.argv[1]]: {} } });`;
  const bundle = (path: string): Promise<Outcome> =>
    runCommand(process.execPath, ['--input-type=module', '-e', script, path]);
  assert.equal((await bundle('node_modules/yaml/index.js')).stderr, '');
  assert.match((await bundle('node_modules/fast-check/lib/fast-check.js')).stderr, /fast-check.js is bundled, but not/);
});

test('the base image is one, named by its digest', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  assert.match(
    dockerfile,
    /^ARG NODE_IMAGE=docker\.io\/library\/node:\d+\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/m,
  );
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  assert.deepEqual(bases, Array(2).fill(`\${NODE_IMAGE}`));
});

/** What becomes of a project with one package, and one for development that nobody looks at. */
function listed(context: TestContext, locked: object, text = 'Copyright 2026, somebody'): Promise<Outcome> {
  const folder = temporaryFolder(context);
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const integrity = `sha512-${Buffer.alloc(64).toString('base64')}`;
  const packages = {
    '': {},
    'node_modules/one': { version: '1.0.0', integrity, ...locked },
    'node_modules/tool': { version: '1.0.0', dev: true, hasInstallScript: true },
  };
  write('package.json', JSON.stringify({ name: 'project', version: '1.0.0', license: 'MIT' }));
  write('package-lock.json', JSON.stringify({ packages }));
  write('node_modules/one/LICENSE', text);
  write('node_modules/tool/index.js', '');
  return runCommand(process.execPath, [resolve('scripts/list-packages.mjs')], { cwd: folder });
}
