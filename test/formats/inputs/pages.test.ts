import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageIn, pagingOf } from '../../../src/formats/inputs/pages.ts';
import { isRejected } from '../../../src/stream/event.ts';
import { readerOf } from '../../../src/config/settings.ts';
import { loadConfig } from '../../../src/config/load.ts';

const completion = (id: string, city: string): object => ({
  ...{ id, object: 'chat.completion', model: 'm', metadata: { example_id: id } },
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: JSON.stringify({ city }) } }],
      },
    },
  ],
});
const records = [completion('a', 'Oslo'), completion('b', 'Rome'), completion('c', 'Bergen')];

const pages: readonly (readonly [string, object])[] = [
  ['Langfuse', { data: records, meta: { page: 1, limit: 50, totalItems: 3, totalPages: 1 } }],
  ['OpenAI', { object: 'list', data: records, first_id: 'a', last_id: 'c', has_more: false }],
  ['LangSmith', { runs: records, cursors: { next: null } }],
  ['traces', { traces: records, total: 3 }],
];

for (const [name, page] of pages)
  test(`a page of ${name} is its records, all of them`, () => {
    const bytes = Buffer.from(JSON.stringify(page));
    const reader = readerOf(loadConfig({}).config, false);
    const { events } = reader.read({ bytes, start: 0, end: bytes.length, offset: 4, timestamp: Number.NaN });
    assert.deepEqual(
      events.map((event) => (isRejected(event) ? event.detail : [event.exampleId, event.offset, event.element])),
      [
        ['a', 4, 0],
        ['b', 4, 1],
        ['c', 4, 2],
      ],
    );
  });

test('what says something itself is no page', () => {
  const others: readonly unknown[] = [
    { example_id: 'x', data: records },
    { data: records, output: 'words' },
    { data: [] },
    { data: [1, 2] },
    { data: { data: records } },
    { items: [{ role: 'user', content: 'hello' }] },
    records,
    null,
  ];
  for (const other of others) assert.equal(pageIn(other), undefined, JSON.stringify(other));
});

const paging: readonly (readonly [page: object, key: string | undefined, hasNext?: boolean])[] = [
  [{ has_more: true }, 'has_more', true],
  [{ has_more: false }, 'has_more', false],
  [{ hasNextPage: true }, 'hasNextPage', true],
  [{ next_page: 2 }, 'next_page', true],
  [{ next_page: null }, 'next_page', false],
  [{ nextPageToken: 't' }, 'nextPageToken', true],
  [{ next_page_token: '' }, 'next_page_token', false],
  [{ next_cursor: 'c' }, 'next_cursor', true],
  [{ next: 'https://api.example/items?page=2' }, 'next', true],
  [{ meta: { next: '/items?page=2' } }, 'meta.next', true],
  [{ links: { next: null, self: '/items' } }, 'links.next', false],
  [{ _links: { next: { href: '/items?page=2' } } }, '_links.next', true],
  [{ cursors: { next: 'c' } }, 'cursors.next', true],
  [{ pagination: { has_more: false, next_cursor: 'c' } }, 'pagination.next_cursor', true],
  [{ meta: { page: 1, limit: 50, totalItems: 73, totalPages: 2 } }, 'meta.page', true],
  [{ meta: { page: 2, limit: 50, totalItems: 73, totalPages: 2 } }, 'meta.page', false],
  [{ page: 1, size: 10, total: 11 }, 'page', true],
  [{ page: 1, size: 10, total: 10 }, 'page', false],
  [{ page: 1 }, undefined],
  [{ nextStep: 'pay', has_moreover: true, data: [{ next: 'x' }] }, undefined],
  [{}, undefined],
];

for (const [page, key, hasNext] of paging)
  test(`${JSON.stringify(page)} says ${key === undefined ? 'nothing' : hasNext ? 'more' : 'no more'} of a next page`, () =>
    assert.deepEqual(pagingOf(page as never), key === undefined ? undefined : { key, hasNext }));
