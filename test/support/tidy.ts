import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

/** A source file, parsed. */
export interface Source {
  /** From the project's folder, with `/`: `src/scoring/json.ts`. */
  readonly path: string;
  readonly tree: ts.SourceFile;
}

/** Says what in a file is against a rule: `path:line: what`. */
export type Rule = (source: Source) => readonly string[];

export function parse(path: string, text: string): Source {
  return { path, tree: ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true) };
}

/** Every source file below the folders. */
export function sourcesBelow(...folders: readonly string[]): readonly Source[] {
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
    .filter((path) => /\.(tsx?|mjs)$/.test(path))
    .sort()
    .map((path) => parse(path, readFileSync(path, 'utf8')));
}

/** Every node below, in order. */
export function descendants(node: ts.Node): readonly ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (child: ts.Node): void => {
    found.push(child);
    ts.forEachChild(child, visit);
  };
  ts.forEachChild(node, visit);
  return found;
}

export function at({ path, tree }: Source, node: ts.Node, what: string): string {
  return `${path}:${tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1}: ${what}`;
}

/** A module that a file imports, loads in a worker, or re-exports. */
export interface Import {
  readonly node: ts.Node;
  /** `src/scoring/json.ts`, or the name of a package (`zod`), or `node:fs`. */
  readonly target: string;
  /** Gone when the program runs. */
  readonly typesOnly: boolean;
}

export function importsOf(source: Source): readonly Import[] {
  return descendants(source.tree).flatMap((node) => {
    const specifier = specifierOf(node);
    const typesOnly = isTypesOnly(node);
    return specifier === undefined ? [] : [{ node, target: targetOf(source.path, specifier), typesOnly }];
  });
}

/** `import { type A }` is not: it loads the module for nothing. */
function isTypesOnly(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node)) return node.importClause?.isTypeOnly ?? false;
  return ts.isImportTypeNode(node) || (ts.isExportDeclaration(node) && node.isTypeOnly);
}

function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return literalText(node.moduleSpecifier);
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? literalText(node.argument.literal) : undefined;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return literalText(node.arguments[0]);
  const isUrl = ts.isNewExpression(node) && node.expression.getText() === 'URL';
  const [path, base] = isUrl ? (node.arguments ?? []) : [];
  const text = literalText(path);
  return base?.getText() === 'import.meta.url' && text !== undefined && /\.[jt]s$/.test(text) ? text : undefined;
}

function literalText(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
}

function targetOf(importer: string, specifier: string): string {
  if (specifier.startsWith('.')) return normalize(join(dirname(importer), specifier)).replace(/\.js$/, '.ts');
  if (specifier.startsWith('node:')) return specifier;
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}
