import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { missingTests, namedTests } from './support/named-tests.ts';
import { parse, type Rule, sourcesBelow } from './support/tidy.ts';
import {
  bordersHold,
  citationsHold,
  coreIsPure,
  deadFiles,
  exportsAreDescribed,
  filesAreShort,
  functionsAreShort,
  importCycles,
  noAny,
  noModuleState,
  nothingPostponed,
  packagesInTheirPlace,
} from './support/tidy-rules.ts';

const sources = sourcesBelow('src', 'packages', 'test', 'bench', 'scripts');

interface Planted {
  readonly path: string;
  readonly text: string;
  readonly found: readonly string[];
}

/** The rule holds in the project, and finds what is planted. */
function holds(name: string, rule: Rule, planted: readonly Planted[]): void {
  test(name, () => {
    assert.ok(sources.length > 50, 'run the tests with the project as the working folder');
    assert.deepEqual(sources.flatMap(rule), []);
  });
  for (const { path, text, found } of planted) {
    test(`${name}: ${path} with ${JSON.stringify(text.slice(0, 60))}`, () => {
      assert.deepEqual(rule(parse(path, text)), found);
    });
  }
}

const imports = (path: string, target: string, found: readonly string[] = []): Planted => ({
  path,
  text: `import { x } from '${target}';`,
  found: found.map((what) => `${path}:1: imports ${what}`),
});

holds('folders know only what lies below them', bordersHold, [
  imports('src/statistics/a.ts', './b.ts'),
  imports('src/statistics/a.ts', '../scoring/b.ts', ['src/scoring/b.ts']),
  imports('src/scoring/a.ts', './trajectory/b.ts'),
  imports('src/scoring/a.ts', '../state/b.ts', ['src/state/b.ts']),
  imports('src/state/containers/a.ts', '../b.ts', ['src/state/b.ts']),
  imports('src/view/a.ts', '../stream/b.ts'),
  imports('src/stream/a.ts', '../formats/b.ts', ['src/formats/b.ts']),
  imports('src/stream/a.ts', '../config/limits.ts', ['src/config/limits.ts']),
  imports('src/formats/a.ts', '../scoring/b.ts'),
  imports('src/formats/a.ts', '../config/config.ts', ['src/config/config.ts']),
  imports('src/pipeline/a.ts', '../ports.ts'),
  imports('src/pipeline/a.ts', '../adapters/log.ts', ['src/adapters/log.ts']),
  imports('src/adapters/kafka/a.ts', './b.ts'),
  imports('src/adapters/kafka/a.ts', '../log.ts', ['src/adapters/log.ts']),
  imports('src/adapters/log.ts', './clock.ts', ['src/adapters/clock.ts']),
  imports('src/adapters/log.ts', '../pipeline/task.ts', ['src/pipeline/task.ts']),
  imports('src/cli/a.ts', '../adapters/log.ts', ['src/adapters/log.ts']),
  imports('src/service/a.ts', '../adapters/log.ts'),
  imports('src/service/a.ts', '../commands/run/run.ts', ['src/commands/run/run.ts']),
  imports('src/documents/a.ts', '../service/serve.ts', ['src/service/serve.ts']),
  imports('src/commands/run/a.ts', './threads/b.ts'),
  imports('src/commands/run/a.ts', '../../service/serve.ts'),
  imports('src/commands/run/a.ts', '../view/b.ts', ['src/commands/view/b.ts']),
  imports('src/commands/run/a.ts', '../../cli/b.ts', ['src/cli/b.ts']),
  imports('src/main.ts', './commands/run/run.ts', ['src/commands/run/run.ts']),
  { path: 'src/util/a.ts', text: '', found: ['src/util/a.ts: lies in a folder without borders'] },
  {
    path: 'src/stream/a.ts',
    text: "export * from '../formats/b.ts';\nconst c = import('../service/c.ts');\ntype D = import('../ports.ts').Log;\nnew URL('../cli/e.js', import.meta.url);",
    found: ['formats/b.ts', 'service/c.ts', 'ports.ts', 'cli/e.ts'].map(
      (file, i) => `src/stream/a.ts:${i + 1}: imports src/${file}`,
    ),
  },
]);

holds('a package is imported in its one place', packagesInTheirPlace, [
  imports('src/adapters/kafka/a.ts', 'kafkajs'),
  imports('src/adapters/log.ts', 'kafkajs', ['kafkajs']),
  imports('src/adapters/prometheus/metrics-text.ts', 'prom-client', ['prom-client']),
  imports('src/stream/a.ts', 'zod', ['zod']),
  imports('src/stream/a.ts', 'node:fs', ['node:fs']),
  imports('src/formats/a.ts', 'zod/v4'),
  imports('src/formats/a.ts', 'node:buffer'),
  imports('src/stream/a.ts', 'node:buffer', ['node:buffer']),
  imports('src/formats/a.ts', 'node:fs', ['node:fs']),
  imports('src/pipeline/a.ts', 'node:timers', ['node:timers']),
  imports('src/service/a.ts', 'left-pad', ['left-pad']),
  imports('src/service/a.ts', 'constructor', ['constructor']),
  imports('test/a.ts', 'fast-check'),
]);

const inCore = (text: string, ...found: readonly string[]): Planted => ({
  path: 'src/stream/a.ts',
  text,
  found: found.map((what) => `src/stream/a.ts:1: ${what}`),
});

holds('the core is pure', coreIsPure, [
  inCore('const now = Date.now();', 'uses Date'),
  inCore('const x = Math.random() + Math.max(1, 2);', 'uses Math.random'),
  inCore('console.log(process.argv);', 'uses console', 'uses process'),
  inCore('async function f(): Promise<void> {}', 'is asynchronous', 'uses Promise'),
  inCore('setTimeout(() => {}, 1);', 'uses setTimeout'),
  inCore('const { x } = globalThis;', 'uses globalThis'),
  inCore('const a = { Date: 1, process: b.console }; interface I { Promise: number }'),
  { path: 'src/adapters/a.ts', text: 'const now = Date.now();', found: [] },
]);

holds('files have fewer than 300 lines', filesAreShort, [
  { path: 'src/a.ts', text: '\n'.repeat(299), found: [] },
  { path: 'src/a.ts', text: '\n'.repeat(300), found: ['src/a.ts: has 300 lines'] },
]);

const functionOf = (lines: number): string => `\nfunction f() {${'\n'.repeat(lines - 1)}}`;

holds('functions have fewer than 50 lines', functionsAreShort, [
  { path: 'src/a.ts', text: functionOf(49), found: [] },
  { path: 'src/a.ts', text: functionOf(50), found: ['src/a.ts:2: the function has 50 lines'] },
  { path: 'src/a.ts', text: `f(() => {${'\n'.repeat(50)}});`, found: ['src/a.ts:1: the function has 51 lines'] },
  { path: 'test/a.test.ts', text: `describe('a', () => {${'\n'.repeat(60)} test('b', () => {}); });`, found: [] },
  { path: 'test/a.test.ts', text: `suite(() => {${'\n'.repeat(60)} testWith(['b'], 'c', () => {}); });`, found: [] },
  {
    path: 'test/a.test.ts',
    text: `describe('a', () => { test('b', () => {${'\n'.repeat(60)}}); });`,
    found: ['test/a.test.ts:1: the function has 61 lines'],
  },
]);

holds('modules hold no state', noModuleState, [
  {
    path: 'src/a.ts',
    text: 'let a = 1;\nexport var b = 2;\nconst c = 3;',
    found: ['src/a.ts:1: a variable of the module', 'src/a.ts:2: a variable of the module'],
  },
  { path: 'src/a.ts', text: 'function f() { let a = 1; return a; }', found: [] },
]);

holds('nothing has type any', noAny, [
  {
    path: 'src/a.ts',
    text: 'const a = b as any;\nfunction f(x: any[]) {}',
    found: ['src/a.ts:1: has type any', 'src/a.ts:2: has type any'],
  },
  { path: 'src/a.ts', text: 'const any = 1; // any', found: [] },
]);

const undescribed = ['src/a.ts:1: an exported function without a description'];

holds('exported functions are described', exportsAreDescribed, [
  { path: 'src/a.ts', text: 'export function f() {}', found: undescribed },
  { path: 'src/a.ts', text: 'export const f = () => 1;', found: undescribed },
  {
    path: 'src/a.ts',
    text: '// no\nexport async function f() {}',
    found: ['src/a.ts:2: an exported function without a description'],
  },
  { path: 'src/a.ts', text: '/** Does. */\nexport function f() {}\nfunction g() {}\nexport const a = 1;', found: [] },
]);

/** First words of a docstring that puts a clause in the place of a noun or a verb. */
const clauses = /\/\*\*[\s*]*(What|Who|Those|Of|Whether|Nothing)\b/g;

/** A docstring begins with a noun or a verb: the thing, or what is done. */
const docstringsArePlain: Rule = ({ path, tree }) =>
  !/^(src|packages)\//.test(path)
    ? []
    : [...tree.text.matchAll(clauses)].map(({ index, 1: word }) => {
        const { line } = tree.getLineAndCharacterOfPosition(index);
        return `${path}:${line + 1}: a docstring that begins with ${word}`;
      });

holds('docstrings begin with a noun or a verb', docstringsArePlain, [
  { path: 'src/a.ts', text: '/** Number of events. */\n/** Returns whether it is. */\n// What is not.', found: [] },
  {
    path: 'src/a.ts',
    text: 'type A = {\n  /** What is told. */\n  a: 1;\n};\n/**\n * Whether it is.\n */',
    found: ['src/a.ts:2: a docstring that begins with What', 'src/a.ts:5: a docstring that begins with Whether'],
  },
  { path: 'test/a.ts', text: '/** Those of a test. */', found: [] },
]);

holds('nothing is postponed in a comment', nothingPostponed, [
  { path: 'src/a.ts', text: `\n// ${'TO'}${'DO'}: later`, found: [`src/a.ts:2: says ${'TO'}${'DO'}`] },
  { path: 'src/a.ts', text: '// to do: todos', found: [] },
]);

holds('a citation leads to a page and its heading', citationsHold, [
  { path: 'src/a.ts', text: '// docs/reference/scoring.md, "decision"; docs/reference/events.md', found: [] },
  {
    path: 'src/a.ts',
    text: `\n// (${'docs'}/reference/nowhere.md; ${'docs'}/reference/scoring.md, "nothing")`,
    found: [
      `src/a.ts:2: cites ${'docs'}/reference/nowhere.md`,
      `src/a.ts:2: cites ${'docs'}/reference/scoring.md, nothing`,
    ],
  },
]);

test('ARCHITECTURE.md names files that are there', () => {
  const named = [...readFileSync('ARCHITECTURE.md', 'utf8').matchAll(/`([\w./-]+\.ts)`/g)].map((match) => match[1]!);
  assert.ok(named.length > 20);
  const roots = ['', 'src/', 'packages/'];
  assert.deepEqual(
    named.filter((path) => !roots.some((root) => existsSync(root + path))),
    [],
  );
});

test('each attack of docs/reference/security.md is held by tests that are there', () => {
  const table = readFileSync('docs/reference/security.md', 'utf8')
    .split('\n## ')
    .find((part) => part.startsWith('Attacks\n'))!;
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| from '));
  assert.ok(rows.length > 20);
  assert.deepEqual(
    rows.filter((row) => namedTests(row).length === 0),
    [],
  );
  assert.deepEqual(missingTests(rows.flatMap(namedTests), sources), []);
});

test('each attack is held by tests that are there: planted rows', () => {
  const planted = [
    parse('test/a.test.ts', "test('one', f); for (const x of ['two']) test(`\x24{x} is three`, f); // four"),
  ];
  const named = namedTests('| b | c | `a` *one*, *two*, *is three*, *four*; `b/c` *one* |');
  assert.deepEqual(missingTests(named, planted), ['test/a.test.ts: four', 'test/b/c.test.ts: one']);
});

test('every file of src is part of the program', () => {
  assert.deepEqual(deadFiles(sources), []);
});

test('every file of src is part of the program: a planted file that nothing loads', () => {
  const planted = [
    parse('src/main.ts', "import './a.ts';\nnew Worker(new URL('./worker.js', import.meta.url));"),
    parse('src/a.ts', "const b = await import('./b.ts');"),
    parse('src/b.ts', "import './a.ts';"),
    parse('src/worker.ts', ''),
    parse('src/dead.ts', "import './a.ts';"),
    parse('src/ambient.d.ts', "declare module 'x';"),
    parse('test/a.test.ts', "import '../src/dead.ts';"),
  ];
  assert.deepEqual(deadFiles(planted), ['src/dead.ts']);
});

test('no files import each other in a circle', () => {
  assert.deepEqual(importCycles(sources), []);
});

test('no files import each other in a circle: planted circles', () => {
  const planted = [
    parse('src/0.ts', "import './c.ts';"),
    parse('src/a.ts', "import { b } from './b.ts';\nimport './a.ts';"),
    parse('src/b.ts', "export { type C, c } from './c.ts';"),
    parse('src/c.ts', "const { a } = await import('./a.ts');"),
    parse('src/d.ts', "import './a.ts';\nimport './c.ts';"),
    parse('src/types/e.ts', "import type { F } from './f.ts';"),
    parse('src/types/f.ts', "import('./f.ts');\nlet e: import('./e.ts').E;"),
    parse('test/g.ts', "import type { H } from './h.ts';"),
    parse('test/h.ts', "import './g.ts';"),
  ];
  const found = [
    'src/a.ts -> src/b.ts -> src/c.ts -> src/a.ts',
    'src/a.ts -> src/a.ts',
    'src/types/f.ts -> src/types/f.ts',
    'src/types/e.ts -> src/types/f.ts -> src/types/e.ts',
  ];
  assert.deepEqual(importCycles(planted), found);
});
