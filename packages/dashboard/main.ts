import type { ComparisonDocument } from '../../src/formats/summary/comparison-document.ts';
import type { LiveDocument } from '../../src/formats/summary/live-document.ts';
import { programName } from '../../src/name.ts';
import { parseJson } from '../../src/scoring/parse-json.ts';
import { createPage } from './page.tsx';
import { createComparison } from './view-compare.tsx';

const root = document.querySelector('#page')!;
const embedded = document.querySelector('#document')?.textContent?.trim() ?? '';
const data: LiveDocument | ComparisonDocument | undefined =
  embedded === '' ? undefined : (parseJson(embedded) as unknown as LiveDocument | ComparisonDocument);
if (data?.format === `${programName}.comparison/1`) createComparison(root, data);
else createPage(root, data);
