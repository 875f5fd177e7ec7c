import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { llmsFiles } from '../../packages/monitoring/llms.ts';

/* That both files are current: test/monitoring/generated.test.ts. */

test('the index has a line for each page, and the whole text has the pages in its order', () => {
  const [index, full] = llmsFiles([
    { path: 'README.md', text: '# Assay\n\nIt scores\nagents.\n\nMore.\n' },
    {
      path: 'docs/guides/README.md',
      text: '# Guides\n\n- [From logs](logs.md): OpenAI, [others](logs.md)\n- [Bare](bare.md)\n',
    },
    {
      path: 'docs/reference/README.md',
      text: '| page | content |\n|---|---|\n| [runs.md](runs.md) | Beta |\n| [truth.md](truth.md) | Alpha |\n',
    },
    { path: 'docs/reference/truth.md', text: '# A\n\n1\n' },
    { path: 'docs/reference/runs.md', text: '# B\n' },
  ]);
  assert.match(index!.text, /^# Assay\n\n> It scores agents\.\n\n/);
  assert.match(
    index!.text,
    /^- \[From logs\]\(docs\/guides\/logs\.md\): OpenAI, \[others\]\(logs\.md\)\n- \[Bare\]\(docs\/guides\/bare\.md\)$/m,
  );
  assert.match(
    index!.text,
    /^- \[runs\.md\]\(docs\/reference\/runs\.md\): Beta\n- \[truth\.md\]\(docs\/reference\/truth\.md\): Alpha$/m,
  );
  assert.equal(
    full!.text,
    '# Assay: the reference\n\n<!-- docs/reference/runs.md -->\n\n# B\n\n<!-- docs/reference/truth.md -->\n\n# A\n\n1\n',
  );
});

test('the index of this repository names every guide and every reference page, and no page that is not there', () => {
  const text = readFileSync('llms.txt', 'utf8');
  const named = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, path]) => path!);
  const pages = ['docs/guides', 'docs/reference'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name !== 'README.md')
      .map((name) => `${folder}/${name}`),
  );
  assert.ok(pages.length > 20);
  assert.deepEqual(
    pages.filter((page) => !named.includes(page)),
    [],
  );
  assert.deepEqual(
    named.filter((path) => !existsSync(path)),
    [],
  );
});
