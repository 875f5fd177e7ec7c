import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readerOf } from '../../src/config/settings.ts';
import { tagsOfTemplate, traceLink } from '../../src/formats/summary/trace-link.ts';
import type { Event } from '../../src/stream/event.ts';
import { eventOf } from '../support/event-reader.ts';
import { configWith, recordAt } from '../support/folding.ts';

const template = 'https://traces.test/{tags.trace_id}?of={model}&run={run}';
const config = configWith({ 'links.trace': template });
const reader = readerOf(config, false);
const ts = Date.UTC(2026, 4, 1);

function read(event: object): Event {
  return eventOf(reader.read(recordAt({ example_id: 'x', ts, ...event }, 0)).events);
}

const linkOf = (one: Event, of: string | undefined = template) => traceLink(of, one, ts);

const event = { model: 'a/b & c', run: 2, tags: { trace_id: '4bf9', other: 1 } };

test('an event has the link that the template makes of it, each value for an address', () => {
  assert.equal(linkOf(read(event)), 'https://traces.test/4bf9?of=a%2Fb%20%26%20c&run=2');
  assert.equal(
    linkOf(read(event), 'https://t.test/{example_id}/{ts}'),
    'https://t.test/x/2026-05-01T00%3A00%3A00.000Z',
  );
});

test('one that lacks a value has none, nor is there one without a template', () => {
  assert.equal(linkOf(read({ ...event, tags: {} })), null);
  assert.equal(linkOf(read({ ...event, run: undefined })), null);
  assert.equal(traceLink(undefined, read(event), ts), null);
});

test('a prediction that waits for its truth keeps the tags that links need', () => {
  const text = reader.textOf(read(event), ts);
  assert.deepEqual(JSON.parse(text).tags, { trace_id: '4bf9' });
  assert.equal(linkOf(reader.readText(text, 0, -1)), 'https://traces.test/4bf9?of=a%2Fb%20%26%20c&run=2');
});

test('what a template may name', () => {
  assert.deepEqual(tagsOfTemplate('https://t.test/{tags.a.b}{model}{tags.c}'), ['a.b', 'c']);
  assert.throws(
    () => configWith({ 'links.trace': 'https://t.test/{trace}' }),
    /links\.trace: .*names something else than \{event_id\}/,
  );
  assert.throws(() => configWith({ 'links.trace': 'javascript:alert(1)' }), /links\.trace: .*is no address/);
});
