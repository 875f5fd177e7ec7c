import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { at, descendants, importsOf, type Rule, type Source } from './tidy.ts';

/** The functional core: pure and synchronous. */
const core = ['src/statistics/', 'src/scoring/', 'src/state/', 'src/stream/', 'src/view/'];

/** What pipeline and adapters are built on, and what services and commands are built on. */
const middle = [...core, 'src/formats/', 'src/ports.ts', 'src/telemetry.ts', 'src/errors.ts'];
const below = [...middle, 'src/pipeline/', 'src/adapters/', 'src/config/'];

/** What a folder (or file) may import of the project: prefixes of paths. The first entry that fits counts. */
const borders: Readonly<Record<string, readonly string[]>> = {
  'src/statistics/': ['src/statistics/'],
  'src/scoring/': ['src/scoring/'],
  'src/state/containers/': ['src/state/containers/'],
  'src/state/': ['src/scoring/', 'src/state/'],
  'src/stream/': ['src/scoring/', 'src/state/', 'src/stream/'],
  'src/view/': ['src/statistics/', 'src/scoring/', 'src/state/', 'src/stream/', 'src/view/'],
  'src/formats/': [...core, 'src/formats/'],
  'src/ports.ts': core,
  'src/telemetry.ts': [...core, 'src/ports.ts'],
  'src/errors.ts': [],
  'src/pipeline/': [...middle, 'src/pipeline/'],
  'src/adapters/': [
    ...middle,
    'src/adapters/standing-thread.ts',
    'src/adapters/standing-worker.ts',
    'src/adapters/thread-priority.ts',
    'src/adapters/object-store/',
    'src/adapters/files/',
  ],
  'src/config/': [...core, 'src/formats/', 'src/config/', 'src/errors.ts'],
  'packages/monitoring/schemas/': [...core, 'src/formats/', 'src/config/', 'packages/monitoring/schemas/'],
  'src/terminal/': [...core, 'src/formats/', 'src/terminal/'],
  'src/service/': [...below, 'src/terminal/', 'src/documents/', 'src/service/'],
  'src/documents/': [...below, 'src/terminal/', 'src/documents/'],
  'src/commands/': [...below, 'src/terminal/', 'src/documents/', 'src/service/'],
  'src/cli/': ['src/commands/', 'src/documents/context.ts', 'src/cli/', 'src/config/', 'src/errors.ts'],
  'src/main.ts': ['src/cli/'],
  'packages/dashboard/': [...core, 'src/formats/', 'packages/dashboard/'],
  'packages/monitoring/': [...core, 'src/config/', 'src/adapters/prometheus/', 'packages/monitoring/'],
};

/** Where a package may be imported; in no other place of src, and no other package anywhere in it. */
const packages: Readonly<Record<string, readonly string[]>> = {
  '@aws-sdk/client-s3': ['src/adapters/object-store/s3-store.ts'],
  '@modelcontextprotocol/server': ['src/commands/mcp/'],
  '@grafana/grafana-foundation-sdk': ['packages/monitoring/dashboards/'],
  'ajv-formats': ['src/formats/json-schema/'],
  'apache-arrow': ['src/formats/', 'packages/monitoring/schemas/'],
  commander: ['src/cli/'],
  'csv-parse': ['src/adapters/files/'],
  fflate: ['src/adapters/files/eval-records.ts'],
  fzstd: ['src/adapters/files/'],
  hyparquet: ['src/formats/files/'],
  'hyparquet-compressors': ['src/formats/files/'],
  'hyparquet-writer': ['src/formats/files/'],
  kafkajs: ['src/adapters/kafka/'],
  'aws-msk-iam-sasl-signer-js': ['src/adapters/kafka/kafka-login.ts'],
  'lz4-napi': ['src/adapters/kafka/', 'src/formats/'],
  pino: ['src/adapters/log.ts'],
  protobufjs: ['src/formats/otlp/', 'src/formats/framed/'],
  'prom-client': ['src/adapters/prometheus/process-metrics.ts'],
  preact: ['packages/dashboard/'],
  re2js: [
    'src/formats/json-schema/',
    'src/formats/prediction/decision-rules.ts',
    'src/config/fields.ts',
    'src/scoring/match/',
    'src/scoring/tool-names.ts',
  ],
  'fastest-levenshtein': ['src/scoring/match/'],
  snappy: ['src/adapters/kafka/'],
  zstddec: ['src/formats/'],
  '@node-rs/bcrypt': ['src/adapters/http/'],
  '@node-rs/crc32': ['src/adapters/kafka/', 'src/adapters/local-log/'],
  yaml: ['src/config/', 'packages/monitoring/'],
  zod: ['src/formats/', 'src/config/', 'src/commands/mcp/', 'packages/monitoring/schemas/'],
};

/** Modules of Node that hold bytes, or compute from them. */
const pureModules = ['node:buffer', 'node:v8', 'node:zlib'];

/** Where other modules of Node may be imported: not in what is pure. */
const shell = [
  'src/adapters/',
  'src/commands/',
  'src/documents/',
  'src/service/',
  'src/terminal/',
  'src/cli/',
  'src/config/',
  'src/main.ts',
  'packages/monitoring/generate.ts',
];

/** Folders import only what lies below them; adapters do not import each other, nor do commands. */
export const bordersHold: Rule = (source) => {
  if (!isProgram(source.path)) return [];
  const allowed = Object.entries(borders).find(([folder]) => source.path.startsWith(folder))?.[1];
  if (allowed === undefined) return [`${source.path}: lies in a folder without borders`];
  return importsOf(source)
    .filter(({ target }) => isProgram(target) && !allowed.some((prefix) => target.startsWith(prefix)))
    .filter(({ target }) => apartOf(target) === undefined || apartOf(target) !== apartOf(source.path))
    .map(({ node, target }) => at(source, node, `imports ${target}`));
};

/** Whether a path lies in what is built, and not in tests, benchmarks or scripts. */
function isProgram(path: string): boolean {
  return path.startsWith('src/') || path.startsWith('packages/');
}

/** The adapter or command of a path: a folder of `src/adapters` or `src/commands`, or a file in it. */
function apartOf(path: string): string | undefined {
  return /^src\/(?:adapters|commands)\/[^/]+/.exec(path)?.[0];
}

/** A package is imported where its technology lives, and only there. */
export const packagesInTheirPlace: Rule = (source) => {
  if (!isProgram(source.path)) return [];
  return importsOf(source)
    .filter(({ target }) => !isProgram(target))
    .filter(({ target }) => {
      return !placesOf(target).some((place) => source.path.startsWith(place));
    })
    .map(({ node, target }) => at(source, node, `imports ${target}`));
};

function placesOf(target: string): readonly string[] {
  if (pureModules.includes(target)) return [...shell, 'src/formats/'];
  if (target.startsWith('node:')) return shell;
  return Object.hasOwn(packages, target) ? packages[target]! : [];
}

const impure = new Set([
  ...['Date', 'process', 'console', 'Promise', 'performance', 'crypto', 'fetch', 'globalThis', 'Atomics'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'structuredClone'],
]);

/** The core has no clock, no chance, no waiting, and no way to the world. */
export const coreIsPure: Rule = (source) => {
  if (!core.some((folder) => source.path.startsWith(folder))) return [];
  return descendants(source.tree).flatMap((node) => {
    if (ts.isIdentifier(node) && impure.has(node.text) && !isName(node)) return [at(source, node, `uses ${node.text}`)];
    if (node.kind === ts.SyntaxKind.AsyncKeyword) return [at(source, node, 'is asynchronous')];
    const isRandom = ts.isPropertyAccessExpression(node) && node.getText() === 'Math.random';
    return isRandom ? [at(source, node, 'uses Math.random')] : [];
  });
};

/** The identifier names a member, and is no reference to a global. */
function isName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  return (
    (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isMethodSignature(parent)) &&
    parent.name === node
  );
}

const fileLines = 300;
const functionLines = 50;

/** A file fits the head: fewer than 300 lines. */
export const filesAreShort: Rule = (source) => {
  const lines = source.tree.text.split('\n').length - 1;
  return lines < fileLines ? [] : [`${source.path}: has ${lines} lines`];
};

/** A function fits the screen: fewer than 50 lines. A suite of tests is a list of them. */
export const functionsAreShort: Rule = (source) =>
  descendants(source.tree)
    .filter((node) => ts.isFunctionLike(node) && !isSuite(source, node))
    .flatMap((node) => {
      const [start, end] = [node.getStart(source.tree), node.end].map(
        (position) => source.tree.getLineAndCharacterOfPosition(position).line,
      );
      const lines = end! - start! + 1;
      return lines < functionLines ? [] : [at(source, node, `the function has ${lines} lines`)];
    });

function isSuite({ path }: Source, node: ts.Node): boolean {
  if (!path.startsWith('test/')) return false;
  return descendants(node).some((inner) => ts.isCallExpression(inner) && testers.has(inner.expression.getText()));
}

const testers = new Set(['test', 'testWith']);

/** Modules hold no state. */
export const noModuleState: Rule = (source) =>
  source.tree.statements
    .filter(ts.isVariableStatement)
    .filter(({ declarationList }) => (declarationList.flags & ts.NodeFlags.Const) === 0)
    .map((node) => at(source, node, 'a variable of the module'));

export const noAny: Rule = (source) =>
  descendants(source.tree)
    .filter(({ kind }) => kind === ts.SyntaxKind.AnyKeyword)
    .map((node) => at(source, node, 'has type any'));

/** Whoever calls an exported function reads what it does, takes and gives. */
export const exportsAreDescribed: Rule = (source) => {
  if (!isProgram(source.path)) return [];
  return source.tree.statements
    .filter((node) => ts.canHaveModifiers(node) && isExported(node) && isFunction(node))
    .filter((node) => !/\/\*\*/.test(source.tree.text.slice(node.getFullStart(), node.getStart(source.tree))))
    .map((node) => at(source, node, 'an exported function without a description'));
};

function isExported(node: ts.HasModifiers): boolean {
  return ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function isFunction(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node)) return true;
  if (!ts.isVariableStatement(node)) return false;
  return node.declarationList.declarations.some(
    ({ initializer }) =>
      initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)),
  );
}

const postponed = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX', 'HA' + 'CK'].join('|')})\\b`, 'g');

/** What is left to do is an issue, not a comment. */
export const nothingPostponed: Rule = (source) =>
  [...source.tree.text.matchAll(postponed)].map(({ index, 0: word }) => {
    const { line } = source.tree.getLineAndCharacterOfPosition(index);
    return `${source.path}:${line + 1}: says ${word}`;
  });

/** A comment that cites a page or a heading of docs leads to it. */
export const citationsHold: Rule = (source) =>
  [...source.tree.text.matchAll(/\b(docs\/[\w/-]+\.md)(?:, "([^"]+)")?/g)].flatMap(({ index, 1: page, 2: heading }) => {
    const text = existsSync(page!) ? readFileSync(page!, 'utf8') : undefined;
    const { line } = source.tree.getLineAndCharacterOfPosition(index);
    const found = text !== undefined && (heading === undefined || text.includes(`\n## ${heading}\n`));
    return found ? [] : [`${source.path}:${line + 1}: cites ${page}${heading === undefined ? '' : `, ${heading}`}`];
  });

/** The program, the generator of files, and the page. */
const entries = ['src/main.ts', 'packages/monitoring/generate.ts', 'packages/dashboard/main.ts'];

/** Files of src that nothing loads, from the entries on. */
export function deadFiles(sources: readonly Source[]): readonly string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const reached = new Set<string>();
  const open = [...entries];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const source = byPath.get(path);
    if (source === undefined || reached.has(path)) continue;
    reached.add(path);
    open.push(...importsOf(source).map(({ target }) => target));
  }
  return [...byPath.keys()].filter((path) => /^(src|packages)\/.*(?<!\.d)\.tsx?$/.test(path) && !reached.has(path));
}

/**
 * Files that import each other in a circle, in the program also for types alone: none of them is understood without the others. A test may
 * take types from the helper that it is made of.
 */
export function importCycles(sources: readonly Source[]): readonly string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, above: readonly string[]): void => {
    if (above.includes(path)) {
      cycles.push(circle(above.slice(above.indexOf(path))));
      return;
    }
    const source = byPath.get(path);
    if (source === undefined || done.has(path)) return;
    for (const { target, typesOnly } of importsOf(source))
      if (!typesOnly || isProgram(path)) visit(target, [...above, path]);
    done.add(path);
  };
  for (const path of byPath.keys()) visit(path, []);
  return cycles;
}

/** About from its least path on, wherever it was entered. */
function circle(paths: readonly string[]): string {
  const first = paths.indexOf([...paths].sort()[0]!);
  return [...paths.slice(first), ...paths.slice(0, first), paths[first]].join(' -> ');
}
