import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/*
 * Folders of data lakes: those named `field=value` give the field to the records below them; the files of a Delta, Iceberg or Hudi table,
 * of which some are no longer in it, are refused with the query that exports the table.
 */

const cwd = temporaryFolder({ after });

function write(path: string, text: string): string {
  mkdirSync(join(cwd, dirname(path)), { recursive: true });
  writeFileSync(join(cwd, path), text);
  return path;
}

write('truth.ndjson', '{"example_id":"e","label":"direct"}\n');

test('fields of folders are those of the records below them, in each kind of file; a field of the record counts before them', async () => {
  write('lake/model=m%2Fa/run=0/part.ndjson', '{"example_id":"e","label":"direct"}\n{}\n');
  write('lake/model=m%2Fa/run=1/part.csv', 'example_id,label\ne,direct\n');
  write('lake/model=m%2Fa/run=2/date=2026-05-01/part.json', '[{"example_id":"e","label":"tool_call","model":"own"}]');
  write('lake/model=__HIVE_DEFAULT_PARTITION__/part.ndjson', '{"example_id":"e","label":"direct"}\n');
  const args = ['--events', 'lake', '--truth', 'truth.ndjson', '--scores', 's.ndjson', '--format', 'assay'];
  const { stderr } = await runProgram(['replay', ...args], { cwd });
  const rows = readFileSync(join(cwd, 's.ndjson'), 'utf8').trim().split('\n');
  const found = rows.map((line) => JSON.parse(line) as { readonly model: string; readonly run: number });
  const wanted = ['unknown undefined', 'm/a 0', 'm/a 1', 'own 2'];
  assert.deepEqual(found.map(({ model, run }) => `${model} ${String(run ?? undefined)}`).sort(), wanted.sort());
  assert.match(stderr, /^folders date=…: date is no field, so nothing reads it; tags\.date=… would be a tag$/m);
});

const lakes: readonly (readonly [name: string, mark: string, part: string, export_: string])[] = [
  ['Delta Lake', '_delta_log/00000000000000000000.json', 'part.ndjson', "delta_scan('$')"],
  ['Iceberg', 'metadata/v10.metadata.json', 'data/part.ndjson', "iceberg_scan('$/metadata/v10.metadata.json')"],
  ['Hudi', '.hoodie/hoodie.properties', 'model=m/part.ndjson', 'load("$")'],
];

for (const [name, mark, part, query] of lakes) {
  test(`a table of ${name} is refused with the query that exports it: its folder, a part of it, a file, what lies around it`, async () => {
    const root = `lakes/${name}`;
    write(`${root}/${mark}`, '{}\n');
    write(`${root}/${mark.replace('v10', 'v9')}`, '{}\n');
    const file = write(`${root}/${part}`, '{"example_id":"e","label":"direct"}\n');
    const deep = write(`${root}/ab/2026/11/part.ndjson`, '{"example_id":"e","label":"direct"}\n');
    const links = `links/${name}`;
    mkdirSync(join(cwd, links), { recursive: true });
    symlinkSync(join(cwd, dirname(file)), join(cwd, links, 'model=m'));
    symlinkSync(join(cwd, file), join(cwd, links, 'part.ndjson'));
    for (const events of [root, dirname(file), file, deep, dirname(deep), links, `${links}/part.ndjson`, 'lakes']) {
      if (events === 'lakes' && name !== lakes[0]![0]) continue;
      const { status, stderr } = await runProgram(['replay', '--events', events, '--truth', 'truth.ndjson'], { cwd });
      assert.equal(status, 1, events);
      assert.ok(stderr.includes(`is within a table of ${name}`), stderr);
      assert.ok(stderr.includes(query.replace('$', join(cwd, root))), stderr);
    }
    const { status, stderr } = await runProgram(['truth', 'inspect', dirname(file)], { cwd });
    assert.equal(status, 1);
    assert.ok(stderr.includes(`is within a table of ${name}`), stderr);
  });
}
