import { readFile } from 'node:fs/promises';
import { jsonText } from '../formats/json/json-text.ts';
import type { ComparisonDocument } from '../formats/summary/comparison-document.ts';
import type { LiveDocument } from '../formats/summary/live-document.ts';
import type { Json } from '../scoring/json.ts';
import { pageFile } from './package-folder.ts';

/** The page of this build with a document in it, which it shows instead of asking a service. It may then load nothing at all. */
export async function pageWith(document: LiveDocument | ComparisonDocument): Promise<string> {
  const data = jsonText(document as unknown as Json).replaceAll('<', '\\u003c');
  return (await builtPage())
    .replace("connect-src 'self'", "connect-src 'none'")
    .replace('<title>Assay</title>', '<title>Assay report</title>')
    .replace('id="document"></script>', () => `id="document">${data}</script>`);
}

async function builtPage(): Promise<string> {
  try {
    return await readFile(pageFile, 'utf8');
  } catch (error) {
    throw new Error(`the page of this build is missing (${(error as Error).message}): npm run build`);
  }
}
