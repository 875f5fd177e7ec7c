import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { fileRecords } from '../../../src/adapters/files/file-records.ts';
import { inputFiles } from '../../../src/adapters/files/input-files.ts';
import { runProgram } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runs } from '../../support/soak.ts';
import { patience } from '../../support/until.ts';

const fixtures = join('test', 'fixtures');
const truth = join(fixtures, 'traffic', 'tau-airline-truth.ndjson');
const lines = readFileSync(join(fixtures, 'traffic', 'tau-airline-predictions.ndjson'), 'utf8')
  .split('\n')
  .slice(0, 40);
const values = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
const table = (name: string): Buffer => readFileSync(join(fixtures, 'tables', name));

const csv = (separator: string): string => {
  const names = Object.keys(values[0]!);
  const cell = (value: unknown): string => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `"${text.replaceAll('"', '""')}"`;
  };
  return [names, ...values.map((row) => names.map((name) => row[name]))]
    .map((row) => row.map(cell).join(separator))
    .join('\r\n');
};

/** The same 40 events; none of the names says what they are. */
const forms: Readonly<Record<string, string | Buffer>> = {
  'NDJSON with a byte order mark and blank lines': `\ufeff\n${lines.join('\r\n\n')}`,
  'an array': JSON.stringify(values),
  'an array over many lines': JSON.stringify(values, null, 2),
  'an array with an element a line': `[\n${lines.join(',\n')}\n]\n`,
  'objects over many lines': values.map((value) => JSON.stringify(value, null, 2)).join('\n'),
  CSV: csv(','),
  'CSV of Polars': table('polars.csv'),
  'CSV with semicolons': csv(';'),
  'CSV with tabs': csv('\t'),
  'Parquet of pyarrow': table('pyarrow.parquet'),
  'Parquet of Polars': table('polars.parquet'),
  'Parquet of pyarrow, LZ4, with a column of nulls': table('lz4-nulls.parquet'),
  'Parquet of Spark': table('spark.parquet'),
  'an Arrow file': table('pandas.feather'),
  'an Arrow stream': table('pyarrow.arrows'),
};

describe('the same events in each form give the same summary to the last bit', { concurrency: 2 }, () => {
  const summaryOf = async (events: string, input = ''): Promise<string> => {
    const args = ['replay', '--truth', truth, '--events', events, '--windows', '--summary', '-'];
    const { status, stdout, stderr } = await runProgram(args, { input });
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /"scored": ?40\b/);
    return stdout;
  };
  const expected = summaryOf('-', lines.join('\n'));
  const ways: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
    plain: (bytes) => bytes,
    gzip: (bytes) => Buffer.concat([gzipSync(bytes.subarray(0, 5_000)), gzipSync(bytes.subarray(5_000))]),
  };
  for (const [form, content] of Object.entries(forms))
    for (const [way, pack] of Object.entries(ways))
      test(`${form}, ${way}`, async (context) => {
        const file = join(temporaryFolder(context), 'events');
        writeFileSync(file, pack(Buffer.from(content)));
        assert.equal(await summaryOf(file), await expected);
      });
  test('NDJSON, zstd in two frames', async () => {
    assert.equal(await summaryOf(join(fixtures, 'tables', 'lines.ndjson.zst')), await expected);
  });
  test('a folder of several, in the order of their names', async (context) => {
    const folder = temporaryFolder(context);
    mkdirSync(join(folder, 'later'));
    writeFileSync(join(folder, '1'), `[${lines.slice(0, 10).join(',')}]`);
    writeFileSync(join(folder, 'later', 'a'), gzipSync(lines.slice(10).join('\n')));
    writeFileSync(join(folder, '_SUCCESS'), 'a mark');
    writeFileSync(join(folder, '.hidden'), 'x');
    assert.deepEqual(await inputFiles([folder, '-']), [join(folder, '1'), join(folder, 'later', 'a'), '-']);
    assert.equal(await summaryOf(folder), await expected);
  });
});

const isColumn = (name: string): boolean => name === 'example_id';

async function read(
  path: string,
  recordBytesMax = 1_000,
): Promise<{ texts: string[]; offsets: number[]; unit: string }> {
  const { unit, batches } = await fileRecords(path, { recordBytesMax, isColumn });
  const [texts, offsets]: [string[], number[]] = [[], []];
  for await (const { records } of batches)
    for (const { bytes, start, end, offset } of records) {
      texts.push(Buffer.from(bytes.subarray(start, end)).toString());
      offsets.push(offset);
    }
  return { texts, offsets, unit };
}

describe('what a file that is not read seems to be', () => {
  for (const [content, problem] of [
    ['hello\nworld\n', 'is text that begins with "hello"; NDJSON, a JSON array, CSV with a header, Parquet'],
    [
      'id,answer\n1,a\n',
      'is a CSV file of which no column is read: "id, answer"; rename a column, or name it, such as',
    ],
    ['PK\x03\x04........', 'is a zip archive or an Excel workbook; unpack it .*, or save the sheet as CSV; NDJSON'],
    ['\xff\xfea\0b\0c\0d\0', 'is text in UTF-16; save it as UTF-8; NDJSON'],
    ['Obj\x01........', 'is an Avro file; write it as Parquet or NDJSON; NDJSON'],
    ['\x00\x01\x02\x03\x80\x81\x82\x83', 'is a binary file of another kind; NDJSON'],
    [gzipSync(gzipSync('{}')), 'is compressed twice; decompress it once'],
    [
      gzipSync(lines[0]!).subarray(0, 60),
      'the gzip data is damaged or cut short \\(unexpected end of file\\); write or',
    ],
    [
      table('lines.ndjson.zst').subarray(0, 900),
      'the zstd data is damaged or cut short \\(.*\\); write or fetch it again',
    ],
    ['[{"a": 1}, {"b": ', 'the JSON ends within element 2: it is cut short, or a bracket or quote is missing; write'],
    ['example_id,run\na,1\nb,2,3\n', ':3: has another number of cells than the first line names columns; put cells'],
    ['example_id,run\na,"1\n', ':2: is no CSV \\(Quote Not Closed.*\\); put cells'],
    ['example_id,run,run\na,1,2\n', ':1: column run is there twice; rename one of the two'],
    [
      'PAR1....PAR1',
      'cannot be read as Parquet \\(.*\\); it is damaged, cut short or of a form that is not read: write it',
    ],
    ['ARROW1\0\0.......', 'the file is cut short: it has no Arrow footer; write it again'],
  ] as const)
    test(problem, async (context) => {
      const path = join(temporaryFolder(context), 'file');
      writeFileSync(path, typeof content === 'string' ? Buffer.from(content, 'latin1') : content);
      await assert.rejects(read(path), { message: new RegExp(`^${path}(: )?${problem}`) });
    });
  test('an empty folder, and a folder within', async (context) => {
    const folder = temporaryFolder(context);
    await assert.rejects(inputFiles([folder]), {
      message: `${folder}: the folder holds no files; name another, or a file`,
    });
  });
});

test('records of each form and their places', async (context) => {
  const path = join(temporaryFolder(context), 'file');
  const of = async (content: string | Buffer): Promise<object> => {
    writeFileSync(path, content);
    return await read(path, 12);
  };
  assert.deepEqual(await of(''), { texts: [], offsets: [], unit: 'line' });
  assert.deepEqual(await of('{"a":1}\n\n [1]\r\n'), { texts: ['{"a":1}', ' [1]'], offsets: [1, 3], unit: 'line' });
  // Of what is too long only so much is kept that it can be refused.
  assert.deepEqual(await of(`{}\n{"a":"${'x'.repeat(99)}"}`), {
    texts: ['{}', '{"a":"xxxxxxx'],
    offsets: [1, 2],
    unit: 'line',
  });
  assert.deepEqual(await of(`[{"a":"${'x'.repeat(99)}"}, 7, "]", [[1], {}],null\n]`), {
    texts: ['{"a":"xxxxxxx', '7', '"]"', '[[1], {}]', 'null'],
    offsets: [1, 2, 3, 4, 5],
    unit: 'element',
  });
  assert.deepEqual(await of('example_id,tags.b,output,x\na,,"",\n\n"b\nc",B,[1],"{""y"":1}"\nd,,,[1\n'), {
    texts: [
      '{"example_id":"a","output":""}',
      '{"example_id":"b\\nc","output":"[1]","x":{"y":1},"tags":{"b":"B"}}',
      '{"example_id":"d","x":"[1"}',
    ],
    offsets: [2, 4, 6],
    unit: 'line',
  });
});

test('elements are found however the bytes are cut', async () => {
  const { documentRecords } = await import('../../../src/adapters/files/document-records.ts');
  const json = fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text) as unknown);
  await fc.assert(
    fc.asyncProperty(fc.array(json), fc.nat(3), fc.integer({ min: 1, max: 9 }), async (array, space, size) => {
      const bytes = Buffer.from(JSON.stringify(array, null, space));
      const chunks = async function* (): AsyncGenerator<Buffer> {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      };
      const found: unknown[] = [];
      for await (const records of documentRecords(chunks(), 1_000_000, 'file'))
        for (const record of records) found.push(JSON.parse(record.bytes.toString()));
      assert.deepEqual(found, JSON.parse(JSON.stringify(array)));
    }),
  );
});

test('a damaged table ends in an error that names it, or in rows', { timeout: patience * 60_000 }, async (context) => {
  const path = join(temporaryFolder(context), 'table');
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 });
  const kind = fc.constantFrom('pyarrow.parquet', 'polars.parquet', 'pandas.feather', 'pyarrow.arrows');
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(kind, fc.boolean(), damage, async (name, isAtEnd, flips) => {
      const bytes = Buffer.from(table(name));
      // What says how much there is stands at the end.
      for (const [at, value] of flips) bytes[isAtEnd ? bytes.length - 1 - (at % 1_000) : at % bytes.length] = value;
      writeFileSync(path, bytes);
      const ended = await read(path, 2 ** 20).catch((error: Error) => error);
      if (!(ended instanceof Error)) return;
      refused++;
      assert.ok(ended.message.startsWith(`${path}: `), ended.stack);
    }),
    { numRuns: runs(10) },
  );
  assert.ok(refused > 0);
});

test('a few bytes that decompress to a gigabyte are refused piece by piece', async (context) => {
  const path = join(temporaryFolder(context), 'bomb');
  const million = gzipSync(Buffer.alloc(2 ** 24, '{'));
  writeFileSync(path, Buffer.concat(Array.from({ length: 64 }, () => million)));
  const before = process.memoryUsage().rss;
  const { texts } = await read(path);
  assert.deepEqual([texts.length, texts[0]!.length], [1, 1_001]);
  const grown = process.memoryUsage().rss - before;
  assert.ok(grown < 2 ** 28, `${grown} bytes`);
});
