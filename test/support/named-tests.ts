import ts from 'typescript';
import { descendants, type Source } from './tidy.ts';

/** A test as documents name it: the file, and what its title, or an entry of its table of cases, holds. */
export interface NamedTest {
  readonly path: string;
  readonly title: string;
}

/** The tests that a line names: `path/below/test` *title*, *another title*. */
export function namedTests(line: string): readonly NamedTest[] {
  return [...line.matchAll(/`([\w/-]+)`((?:,? \*[^*]+\*)+)/g)].flatMap(([, file, titles]) =>
    [...titles!.matchAll(/\*([^*]+)\*/g)].map(([, title]) => ({ path: `test/${file}.test.ts`, title: title! })),
  );
}

/** Those of which no text in the file holds the title. */
export function missingTests(named: readonly NamedTest[], sources: readonly Source[]): readonly string[] {
  const isThere = ({ path, title }: NamedTest): boolean => {
    const source = sources.find((each) => each.path === path);
    if (source === undefined) return false;
    return descendants(source.tree).some((node) => isText(node) && node.text.includes(title));
  };
  return named.filter((test) => !isThere(test)).map(({ path, title }) => `${path}: ${title}`);
}

function isText(node: ts.Node): node is ts.LiteralLikeNode {
  return ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
}
