import type { CallPair, Failure, FieldPair } from '../../src/formats/summary/failure.ts';
import { dateAndTime, plural, printable, timeOfDay } from './format.ts';
import type { Choices, Picture } from './state.ts';
import { labelText } from './view-detail.ts';
import { nameNode } from './view-parts.ts';
import { h, type VNode } from './vnode.ts';

/** The latest failed predictions, what was expected beside what was done. */
export function failuresView(
  { failures, isReport, focus, total }: Picture,
  { showFailures }: Choices,
): VNode | undefined {
  if (isReport) return undefined;
  return h(
    'section',
    { class: 'failures', key: 'failures', 'data-hold': 'failures' },
    h(
      'h2',
      {},
      'Latest failures',
      h('span', { class: 'quiet' }, focus?.id === total?.id ? ' of everything' : ' of the group above'),
    ),
    failures.length === 0
      ? h('p', { class: 'quiet' }, 'None since the start, or they are not shown (http.samples).')
      : h('div', { class: 'cards' }, (showFailures ? failures : failures.slice(0, shownMax)).map(failureCard)),
    failures.length > shownMax && showAllButton(showFailures, failures.length),
  );
}

/** Failures shown before one asks for all. */
const shownMax = 6;

function showAllButton(showAll: boolean, number: number): VNode {
  return h(
    'button',
    { type: 'button', class: 'tool', 'data-action': 'show-failures', 'aria-expanded': String(showAll) },
    showAll ? `Show the latest ${shownMax} only` : `Show all ${number}`,
  );
}

function failureCard(failure: Failure): VNode {
  const { gold, predicted, hallucinations, error } = failure;
  return h(
    'article',
    { class: 'failure', key: `${failure.ts} ${failure.event_id ?? ''} ${failure.example_id} ${failure.run}` },
    h(
      'h3',
      {},
      Object.entries(failure.slice)
        .filter(([, value]) => value !== '')
        .map(([dimension, value]) => h('span', { class: 'dimension', title: dimension }, nameNode(printable(value)))),
      failure.run !== null && h('span', { class: 'quiet' }, `run ${failure.run}`),
      h('time', { class: 'quiet', datetime: failure.ts, title: dateAndTime(failure.ts) }, timeOfDay(failure.ts)),
    ),
    gold !== null && predicted !== null && decisionLine(gold, predicted),
    hallucinations.length > 0 &&
      h(
        'ul',
        { class: 'tags' },
        hallucinations.map((kind) => h('li', { key: kind }, hallucinationTexts[kind] ?? printable(kind))),
      ),
    error !== null && h('p', { class: 'error' }, 'Error: ', h('bdi', {}, printable(error))),
    callsTable(failure),
    failure.answer !== null && pairsTable('Answer', [h('tbody', {}, failure.answer.map(fieldRow))]),
    h('p', { class: 'ids' }, h('small', {}, 'task '), nameNode(printable(failure.example_id), 'id')),
  );
}

const hallucinationTexts: Readonly<Record<string, string>> = {
  tool: 'tool hallucination',
  param: 'parameter hallucination',
  answer: 'answer hallucination',
  unknown_tool: 'unknown tool',
};

function decisionLine(gold: string, predicted: string): VNode {
  if (gold === predicted) return h('p', { class: 'decision' }, 'Decided rightly: ', h('strong', {}, labelText(gold)));
  return h(
    'p',
    { class: 'decision' },
    'Should ',
    h('strong', {}, labelText(gold)),
    predicted === 'invalid' ? ', made ' : ', decided to ',
    h('strong', { class: 'differs' }, predicted === 'invalid' ? 'no valid decision' : labelText(predicted)),
  );
}

function callsTable({ calls, calls_recorded: recorded, more_calls: more }: Failure): VNode | undefined {
  if (!recorded) return h('p', { class: 'quiet' }, 'The event does not say which calls were made.');
  if (calls.length === 0) return undefined;
  const rest = more > 0 ? [h('tbody', {}, restRow(plural(more, 'more call')))] : [];
  return pairsTable('Calls', [...calls.map(callRows), ...rest]);
}

function pairsTable(caption: string, bodies: readonly VNode[]): VNode {
  return h(
    'table',
    { class: 'pairs-table', key: caption },
    h('caption', { class: 'hidden-text' }, `${caption}: expected and actual`),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'col' }, caption),
        h('th', { scope: 'col' }, 'Expected'),
        h('th', { scope: 'col' }, 'Actual'),
      ),
    ),
    bodies,
  );
}

function callRows(pair: CallPair): VNode {
  const { expected, actual, expected_at: expectedAt, actual_at: actualAt, malformed, fields, more_fields: more } = pair;
  const differs = expected !== actual || malformed;
  const moved = expectedAt !== null && actualAt !== null && expectedAt !== actualAt;
  return h(
    'tbody',
    {},
    h(
      'tr',
      { class: 'call' },
      h(
        'th',
        { scope: 'row' },
        markOf(expected, actual, !differs),
        moved && h('small', {}, `call ${expectedAt}, made as ${actualAt}`),
      ),
      h('td', {}, expected === null ? absent() : callName(expected)),
      h(
        'td',
        { class: differs ? 'differs' : undefined },
        actual === null ? absent() : callName(actual),
        malformed && h('small', {}, ' malformed'),
      ),
    ),
    fields.map((field) => (expected === null || actual === null ? lonelyRow(field) : fieldRow(field))),
    more > 0 && restRow(plural(more, 'more argument')),
  );
}

function callName(name: string): VNode {
  return h('bdi', { class: 'call-name', title: printable(name) }, printable(name));
}

function fieldRow({ name, expected, actual, same }: FieldPair): VNode {
  return h(
    'tr',
    { key: name, class: same ? 'is-same' : 'is-different' },
    h('th', { scope: 'row' }, markOf(expected, actual, same), nameNode(printable(name))),
    h('td', {}, expected === null ? absent() : valueNode(expected)),
    h('td', { class: same ? undefined : 'differs' }, actual === null ? absent() : valueNode(actual)),
  );
}

/** A field of a call that has no counterpart: what is wrong is said of the call. */
function lonelyRow({ name, expected, actual }: FieldPair): VNode {
  return h(
    'tr',
    { key: name, class: 'is-same' },
    h('th', { scope: 'row' }, nameNode(printable(name))),
    h('td', {}, expected !== null && valueNode(expected)),
    h('td', {}, actual !== null && valueNode(actual)),
  );
}

/** Differences are told by a sign and in words, not by colour alone. */
function markOf(expected: unknown, actual: unknown, same: boolean): VNode | undefined {
  if (same) return undefined;
  const [sign, text] =
    actual === null ? ['−', 'missing: '] : expected === null ? ['+', 'extra: '] : ['≠', 'different: '];
  return h('span', { class: 'mark' }, sign!, h('span', { class: 'hidden-text' }, text!));
}

function valueNode(text: string): VNode {
  return h('bdi', { class: 'json' }, printable(text));
}

function absent(): VNode {
  return h('span', { class: 'absent' }, 'none');
}

function restRow(text: string): VNode {
  return h('tr', {}, h('td', { colspan: 3, class: 'quiet' }, text));
}
