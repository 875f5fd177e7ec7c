import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgementReaderOf, readerOf, settingsOf } from '../../src/config/settings.ts';
import {
  bounded,
  createSuspects,
  shownSuspects,
  type Suspects,
  type SuspectsOptions,
} from '../../src/service/suspects.ts';
import { hiddenValue } from '../../src/formats/json/preview.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { emptyPartition } from '../../src/state/partition.ts';
import type { Fold } from '../../src/stream/fold.ts';
import { configWith, foldingOf } from '../support/folding.ts';

const config = configWith();
const settings = settingsOf(config, undefined, true);

const call = (city: string, more: object = {}) => ({ name: 'book', arguments: { city, ...more } });
const truthOf = (ids: readonly string[], accept?: object) =>
  truthFromRecords(
    ids.map((id) => ({
      ...{ example_id: id, label: null, tools: null, reference: null },
      expected_tool_calls: [{ ...call('Oslo'), ...(accept !== undefined && { accept }) }],
    })) as Parameters<typeof truthFromRecords>[0],
  );

interface World {
  readonly suspects: Suspects;
  /** Predictions of an example, or judgements. */
  send(...events: readonly object[]): void;
  judge(...judgements: readonly object[]): void;
}

interface Options extends Partial<SuspectsOptions> {
  /** About of every event beside the suspects. */
  readonly told?: Suspects['add'];
}

function createWorld(ids: readonly string[], { told, ...options }: Options = {}): World {
  const suspects = createSuspects({ layout: settings.layout, models: 2, bounds: bounded, ...options });
  const table = truthOf(ids);
  const foldOf = (reader: Fold['reader']): ((events: readonly object[]) => void) => {
    const { fold, add } = foldingOf(config, table, { reader, state: emptyPartition(settings) });
    const onScored: Suspects['add'] = (scored) => {
      suspects.add(scored);
      told?.(scored);
    };
    Object.assign(fold.out, { onScored, onJudged: suspects.addJudgement });
    return add;
  };
  const [send, judge] = [foldOf(readerOf(config, false)), foldOf(judgementReaderOf(config, false))];
  return { suspects, send: (...events) => send(events), judge: (...judgements) => judge(judgements) };
}

const ts = 1_780_000_000_000;
const said = (model: string, city: string, id = 'e') => ({ example_id: id, ts, model, tool_calls: [call(city)] });
const judged = (model: string, score: number, by = 'j', id = 'e') => ({
  ...{ judgement: 'judge', example_id: id, ts, model, score, by, exact: false },
});

test('several models that say the same contradict the truth, unless as many are right', () => {
  const { suspects, send } = createWorld(['e', 'f']);
  send(said('a', 'Bergen'), said('b', 'Bergen'), said('b', 'Bergen'), said('c', 'Rome'));
  assert.deepEqual(suspects.list(), [
    {
      example_id: 'e',
      expected: [call('Oslo')],
      said: [call('Bergen')],
      models: ['a', 'b'],
      of_models: 3,
      events: 3,
      right_models: 0,
      judges: [],
      remedy: { accept: [{ expected_call: 0, rules: { city: { any: ['Bergen'] } } }] },
    },
  ]);
  send(said('d', 'Oslo'));
  assert.deepEqual(suspects.list()[0]!.right_models, 1);
  send(said('f', 'Oslo'));
  assert.deepEqual(suspects.list(), []);
});

test('an answer that a judge passes is suspect, whichever comes first', () => {
  const { suspects, send, judge } = createWorld(['e', 'f', 'g']);
  send(said('a', 'Bergen'));
  assert.deepEqual(suspects.list(), []);
  judge(judged('a', 7, 'gpt'), judged('a', 3, 'strict'), judged('b', 7, 'gpt', 'f'));
  send(said('b', 'Rome', 'f'), said('b', 'Rome', 'g'));
  assert.deepEqual(
    suspects.list().map(({ example_id: id, judges, said: [one] }) => [id, judges, one!.arguments]),
    [
      ['e', ['gpt'], { city: 'Bergen' }],
      ['f', ['gpt'], { city: 'Rome' }],
    ],
  );
  judge({ ...judged('b', 7, 'gpt', 'g'), exact: true }, { ...judged('b', 1, 'gpt', 'g'), judgement: 'semantic' });
  assert.equal(suspects.list().length, 2);
});

test('memory is bounded: examples that were wrong most often stay, answers that many give too', () => {
  const ids = Array.from({ length: 40 }, (_, at) => `e${at}`);
  const { suspects, send } = createWorld(ids, { bounds: { examples: 4, characters: 200 } });
  send(said('a', 'Bergen', 'e0'), said('b', 'Bergen', 'e0'));
  for (const id of ids) send(said('a', 'Rome', id), said('a', 'Oslo', id));
  for (let at = 0; at < 50; at++) send(said('a', `city ${at}`, 'e0'));
  assert.ok(suspects.examples <= 8, `${suspects.examples}`);
  assert.deepEqual(
    suspects.list().map(({ example_id: id, events }) => [id, events]),
    [['e0', 2]],
  );
  const long = 'x'.repeat(300);
  send(said('a', long, 'e1'), said('b', long, 'e1'));
  assert.equal(suspects.list().length, 1, 'what is too long is not kept');
});

test('a row that says something else now is judged anew', () => {
  const { suspects, send } = createWorld(['e', 'f']);
  for (const id of ['e', 'f']) send(said('a', 'Bergen', id), said('b', 'Bergen', id));
  suspects.truthChanged(truthOf(['e', 'f']));
  assert.equal(suspects.list().length, 2);
  suspects.truthChanged(truthOf(['e'], { city: { any: ['Bergen'] } }));
  assert.deepEqual(suspects.list(), []);
});

test('hidden arguments are hidden, and so is the rule that would say them', () => {
  const { suspects, send } = createWorld(['e']);
  send(said('a', 'Bergen'), said('b', 'Bergen'));
  for (const redact of ['all', new Set(['city'])] as const) {
    const [shown] = shownSuspects(suspects, redact);
    assert.doesNotMatch(JSON.stringify(shown), /Bergen|Oslo/);
    assert.equal(shown!.remedy, null);
    assert.match(JSON.stringify(shown), new RegExp(hiddenValue.replace('[', '\\[')));
  }
  assert.notEqual(shownSuspects(suspects, new Set(['other']))[0]!.remedy, null);
});
