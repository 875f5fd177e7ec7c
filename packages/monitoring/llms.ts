import type { GeneratedFile } from './generated.ts';

/** A page of the documentation; its path from the project's folder. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

const [guides, reference, runbooks] = ['docs/guides/README.md', 'docs/reference/README.md', 'docs/runbooks/README.md'];

/** Indexes of the documentation, whose pages the files for language models are made of. */
export const indexPages: readonly string[] = ['README.md', guides!, reference!];

/** Paths of the reference pages, in the order of their index. */
export function referencePages(index: string): string[] {
  return linksIn(index, reference!).map(({ path }) => path);
}

/**
 * The documentation for language models: llms.txt (llmstxt.org), an index with a line for each page, and docs/llms-full.txt, the reference in
 * one file. `pages` are the indexes and the pages of the reference.
 */
export function llmsFiles(pages: readonly Page[]): GeneratedFile[] {
  const textOf = (path: string): string => pages.find((page) => page.path === path)!.text;
  const summary = paragraphs(textOf('README.md'))[1]!.replaceAll('\n', ' ');
  const list = (index: string): string[] =>
    linksIn(textOf(index), index).map(({ title, path, about }) => `- [${title}](${path})${about && `: ${about}`}`);
  const parts = [
    '# Assay',
    `> ${summary}`,
    `The whole reference in one file: [docs/llms-full.txt](docs/llms-full.txt). Paths are those of the repository.`,
    `## Guides\n\n${list(guides!).join('\n')}`,
    `## Reference\n\n${list(reference!).join('\n')}`,
    `## Optional\n\n- [Runbooks](${runbooks}): one page for each alert\n- [Architecture](ARCHITECTURE.md): one path for an event, folders, invariants`,
  ];
  const full = referencePages(textOf(reference!)).map((path) => `<!-- ${path} -->\n\n${textOf(path).trim()}\n`);
  return [
    { path: 'llms.txt', text: `${parts.join('\n\n')}\n` },
    { path: 'docs/llms-full.txt', text: `# Assay: the reference\n\n${full.join('\n')}` },
  ];
}

interface Link {
  readonly title: string;
  readonly path: string;
  readonly about: string;
}

/** The links that begin a row of a table or an item of a list, with what the rest of it says. */
function linksIn(text: string, index: string): Link[] {
  const folder = index.slice(0, index.lastIndexOf('/') + 1);
  return [...text.matchAll(/^(?:- |\| )\[([^\]]+)\]\(([\w-]+\.md)\)(?::| \|)? *(.*?) *\|?$/gm)].map(
    ([, title, path, about]) => ({ title: title!, path: folder + path!, about: about! }),
  );
}

function paragraphs(text: string): string[] {
  return text.split(/\n{2,}/);
}
