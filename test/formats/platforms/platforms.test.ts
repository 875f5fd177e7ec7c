import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { eachRecord } from '../../../src/adapters/truth-files/truth-records.ts';
import { gather } from '../../../src/formats/platforms/gather.ts';
import {
  platformColumns,
  platformReader,
  type PlatformName,
  platforms,
} from '../../../src/formats/platforms/platforms.ts';
import type { TruthPlaces } from '../../../src/formats/truth/fields.ts';
import { readTruthRecord } from '../../../src/formats/truth/record.ts';
import type { JsonObject } from '../../../src/scoring/json.ts';
import { runs } from '../../support/soak.ts';

/** The rows in exports of a platform, without what is null, and how many records of each kind give none. */
async function read(name: PlatformName, files: readonly string[], fields: TruthPlaces = {}) {
  const gathered = gather();
  const reader = platformReader(name, fields);
  const paths = files.map((file) => ({ name: join('test', 'fixtures', 'platforms', file) }));
  await eachRecord(paths, { fields, columns: platformColumns }, (file, unit) => {
    const take = reader.openFile(file);
    return (number, text) => {
      for (const reading of take(text)) gathered.add(reading, { file, number, unit });
    };
  });
  const rows = gathered.rows().map(({ text }) => {
    const record = readTruthRecord(text);
    assert.ok(!('problem' in record), JSON.stringify(record));
    return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== undefined));
  });
  const lacks = Object.fromEntries([...gathered.lacks].map(([kind, { count }]) => [kind, count]));
  return { rows, lacks };
}

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = [{ name: 'get_weather', parameters }];
const oslo = { name: 'get_weather', arguments: { city: 'Oslo' } };
const osloText = { ...oslo, arguments: '{"city": "Oslo"}' };
const anyWeather = { name: 'get_weather', arguments: {}, accept: { '*': { ignore: true } } };
const calling = (example_id: string, call: object, more: object = {}) => ({
  ...{ example_id, label: 'tool_call' },
  ...more,
  expected_tool_calls: [call],
});
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

interface Export {
  readonly name: PlatformName;
  readonly files: readonly string[];
  readonly fields?: TruthPlaces;
  readonly rows: readonly object[];
  readonly lacks: Readonly<Record<string, number>>;
}

const exports: readonly Export[] = [
  {
    name: 'langfuse',
    files: ['langfuse-items.json', 'langfuse-scores.ndjson'],
    rows: [
      calling('item-1', osloText, { tools }),
      { example_id: 'case-3', label: 'cannot_answer' },
      calling('trace-1', osloText),
      { example_id: 'observation-2', label: 'request_for_info' },
    ],
    lacks: { free_text: 1, archived: 1, absent: 1, verdict: 1 },
  },
  {
    name: 'langfuse',
    files: ['langfuse-items.json'],
    fields: { example_id: '/datasetId', label: '/expectedOutput/label' },
    rows: [{ ...calling('dataset-1', osloText, { tools }), label: 'cannot_answer' }],
    lacks: { free_text: 1, archived: 1, absent: 1 },
  },
  {
    name: 'langsmith',
    files: ['langsmith-examples.ndjson', 'langsmith-feedback.ndjson'],
    rows: [
      calling(id(1), osloText, { tools }),
      { example_id: id(3), reference: { city: 'Oslo', days: 3 } },
      calling(id(21), oslo),
    ],
    lacks: { free_text: 1, absent: 1, verdict: 2 },
  },
  {
    name: 'mlflow',
    files: ['mlflow-records.ndjson', 'mlflow-assessments.ndjson'],
    rows: [
      calling('dr-1', oslo),
      calling('tr-2', anyWeather),
      calling('tr-6', oslo),
      { example_id: 'tr-7', label: 'cannot_answer' },
    ],
    lacks: { free_text: 2, absent: 1, verdict: 1 },
  },
  {
    name: 'phoenix',
    files: ['phoenix-dataset.json', 'phoenix-annotations.json'],
    rows: [
      calling('RXhhbXBsZTox', osloText, { tools }),
      calling('case-3', oslo),
      { example_id: '67f6740bbe1ddc3f', label: 'cannot_answer' },
      calling('5b8ef798a3814c2e', oslo),
    ],
    lacks: { free_text: 1, verdict: 1 },
  },
  {
    name: 'phoenix',
    files: ['phoenix-dataset.csv'],
    rows: [calling('RXhhbXBsZTox', oslo)],
    lacks: { free_text: 1 },
  },
  {
    name: 'opik',
    files: ['opik-items.json'],
    rows: [calling('item-1', osloText, { tools }), calling('item-3', anyWeather)],
    lacks: { free_text: 1 },
  },
  {
    name: 'deepeval',
    files: ['deepeval-goldens.json'],
    rows: [calling('1', oslo), calling('case-2', anyWeather)],
    lacks: { free_text: 1 },
  },
  {
    name: 'deepeval',
    files: ['deepeval-saved.json'],
    rows: [calling('1', oslo), calling('case-2', anyWeather)],
    lacks: { free_text: 1 },
  },
];

describe('exports of platforms', () => {
  for (const { name, files, fields, rows, lacks } of exports)
    test(`${name}: ${files.join(', ')}${fields ? ' by places' : ''}`, async () => {
      assert.deepEqual(await read(name, files, fields), { rows, lacks });
    });

  test('a record of another platform is counted', async () => {
    assert.deepEqual(await read('mlflow', ['langfuse-scores.ndjson']), { rows: [], lacks: { other: 3 } });
    assert.deepEqual(await read('langsmith', ['phoenix-annotations.json']), { rows: [], lacks: { other: 1 } });
  });

  test('each part of any record is one reading of any platform', () => {
    const names = Object.keys(platforms) as PlatformName[];
    const keys = [
      'data',
      'expectedOutput',
      'outputs',
      'expectations',
      'output',
      'goldens',
      'input',
      'id',
      'result',
      'key',
    ];
    const record = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue(), { maxKeys: 5 });
    const property = fc.property(fc.constantFrom(...names), record, (name, given) => {
      const readings = platformReader(name, {}).openFile('file')(JSON.stringify(given));
      assert.equal(readings.length, platforms[name].parts(JSON.parse(JSON.stringify(given)) as JsonObject).length);
      for (const reading of readings) assert.ok('lack' in reading || Object.keys(reading.parts).length > 0);
    });
    fc.assert(property, { numRuns: runs(300) });
  });

  test('pages that all say that there is a next one are missing some', () => {
    const item = { id: 'a', expectedOutput: 'direct' };
    const page = (page: number): object => ({ data: [item], meta: { page, limit: 1, totalItems: 3, totalPages: 3 } });
    const noticeOf = (...records: readonly object[]): string | undefined => {
      const reader = platformReader('langfuse', {});
      for (const [at, record] of records.entries()) reader.openFile(`${at}.json`)(JSON.stringify(record));
      return reader.missingPages();
    };
    const remedy = 'so records are missing; fetch all pages, and give all their files';
    assert.equal(noticeOf(page(1)), `the page says that there is a next one (meta.page of 0.json), ${remedy}`);
    assert.equal(
      noticeOf(page(2), page(1), item),
      `all 2 pages say that there is a next one (meta.page of 0.json), ${remedy}`,
    );
    const tokens = [{ items: [item], next_page_token: 't' }, { items: [item] }];
    const cursors = [
      { items: [item], next_cursor: 'c' },
      { items: [], next_cursor: null },
    ];
    const whole = [[], [item], [page(3)], [page(3), page(1), page(2)], [{ data: [item] }], tokens, cursors];
    for (const records of whole) assert.equal(noticeOf(...records), undefined, JSON.stringify(records));
  });
});
