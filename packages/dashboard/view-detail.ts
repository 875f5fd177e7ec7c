import { labels, predictedNames } from '../../src/scoring/label.ts';
import { isObject } from '../../src/scoring/json.ts';
import type { NamedCount, Worst } from '../../src/formats/summary/live-group.ts';
import { count, percent, printable } from './format.ts';
import { nameOf, type Picture } from './state.ts';
import { nameNode, rateCell } from './view-parts.ts';
import { stabilityView } from './view-stability.ts';
import { windowText } from './view-total.ts';
import { h, type VNode } from './vnode.ts';

/** One group closely: what was decided instead of what, how stable that is, and where its calls go wrong. */
export function detailView(picture: Picture): VNode | undefined {
  const { focus, window, total } = picture;
  if (focus?.detail == null) return undefined;
  const { decision, stability, worst } = focus.detail;
  return h(
    'section',
    { class: 'detail', key: 'detail', id: 'detail', tabindex: -1 },
    h(
      'h2',
      {},
      nameNode(focus.id === total?.id ? 'Everything' : nameOf(focus)),
      h('span', { class: 'quiet' }, ` closely, ${windowText(window)}`),
    ),
    focus.id !== total?.id &&
      h(
        'button',
        { type: 'button', class: 'tool', key: 'back', 'data-action': 'focus', 'data-id': focus.id },
        'Back to everything',
      ),
    h(
      'div',
      { class: 'columns' },
      isObject(decision) && confusionView(decision as unknown as Decision),
      isObject(stability) && stabilityView(stability),
    ),
    worst !== null && worstView(worst),
  );
}

interface Decision {
  readonly confusion: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly per_class: Readonly<Record<string, { precision: number; recall: number; f1: number; support: number }>>;
}

const labelTexts: Readonly<Record<string, string>> = {
  direct: 'answer directly',
  tool_call: 'call a tool',
  request_for_info: 'ask back',
  cannot_answer: 'say it cannot',
  invalid: 'none of these',
};

const shortTexts: Readonly<Record<string, string>> = {
  direct: 'answer',
  tool_call: 'call',
  request_for_info: 'ask',
  cannot_answer: 'cannot',
  invalid: 'none',
};

/** A decision in plain words. */
export function labelText(label: string): string {
  return labelTexts[label] ?? printable(label);
}

function confusionView({ confusion, per_class: perClass }: Decision): VNode {
  return h(
    'div',
    { class: 'confusion block' },
    h('h3', {}, 'Decided, against what was right'),
    h(
      'p',
      { class: 'hint' },
      'Rows: what was right. Columns: what was decided. The deeper the colour, the greater the share of the row.',
    ),
    h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Table: confusion matrix' },
      h(
        'table',
        {},
        h('caption', { class: 'hidden-text' }, 'Confusion matrix. Rows: what was right. Columns: what was decided.'),
        h('thead', {}, confusionHead()),
        h(
          'tbody',
          {},
          labels.map((gold) => confusionRow(gold, confusion[gold]!, perClass[gold]!)),
        ),
        h('tfoot', {}, precisionRow(confusion, perClass)),
      ),
    ),
  );
}

function confusionHead(): VNode {
  return h(
    'tr',
    {},
    h('th', { scope: 'col' }, 'Right'),
    predictedNames.map((name) => h('th', { scope: 'col', class: 'number', title: name }, shortTexts[name] ?? name)),
    h('th', { scope: 'col', class: 'number' }, 'Recall'),
  );
}

function precisionRow(confusion: Decision['confusion'], perClass: Decision['per_class']): VNode {
  const isPredicted = (label: string): boolean => labels.some((gold) => confusion[gold]![label]! > 0);
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, 'Precision'),
    labels.map((label) =>
      h('td', { class: 'number' }, percent(isPredicted(label) ? perClass[label]!.precision : null)),
    ),
    h('td', {}),
    h('td', {}),
  );
}

function confusionRow(gold: string, row: Readonly<Record<string, number>>, of: Decision['per_class'][string]): VNode {
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, labelText(gold), h('small', { class: 'interval' }, count(of.support))),
    predictedNames.map((predicted) => {
      const cell = row[predicted]!;
      const share = of.support === 0 ? 0 : cell / of.support;
      return h(
        'td',
        {
          class: `number cell ${predicted === gold ? 'is-right' : 'is-wrong'}`,
          vars: { depth: Math.sqrt(share).toFixed(3) },
          title: of.support === 0 ? undefined : `${count(cell)} of ${count(of.support)}, ${percent(share)}`,
          'data-path': `decision.confusion.${gold}.${predicted}`,
          'data-value': String(cell),
        },
        count(cell),
      );
    }),
    h('td', { class: 'number' }, percent(of.support === 0 ? null : of.recall)),
  );
}

function worstView(worst: Worst): VNode {
  return h(
    'div',
    { class: 'worst', 'aria-label': 'What fails most' },
    worst.tools.length > 0 && toolsTable(worst),
    worst.parameters.length > 0 && parametersTable(worst),
    worst.missing.length > 0 && namedTable('Tools not called that should have been', worst.missing),
    worst.extra.length > 0 && namedTable('Tools called that should not have been', worst.extra),
  );
}

function toolsTable({ tools }: Worst): VNode {
  return h(
    'table',
    { class: 'list block', key: 'tools' },
    h('caption', {}, 'Tools that fail most', h('span', { class: 'quiet' }, ' all time')),
    listHead('Tool', 'Failed', 'Succeeded'),
    h(
      'tbody',
      {},
      tools.map(({ tool, success }) =>
        h(
          'tr',
          { key: tool },
          h('th', { scope: 'row' }, nameNode(printable(tool))),
          h('td', { class: 'number' }, count(success.denominator - success.numerator)),
          rateCell(`trajectory.tools.${tool}.success`, success),
        ),
      ),
    ),
  );
}

function parametersTable({ parameters }: Worst): VNode {
  return h(
    'table',
    { class: 'list block', key: 'parameters' },
    h('caption', {}, 'Arguments that are wrong most', h('span', { class: 'quiet' }, ' all time')),
    listHead('Argument', 'Wrong'),
    h(
      'tbody',
      {},
      parameters.map(({ tool, parameter, count: wrong }) =>
        h(
          'tr',
          { key: JSON.stringify([tool, parameter]) },
          h(
            'th',
            { scope: 'row' },
            nameNode(printable(parameter)),
            h('small', { class: 'under' }, 'of ', nameNode(printable(tool))),
          ),
          h('td', { class: 'number' }, count(wrong)),
        ),
      ),
    ),
  );
}

function namedTable(title: string, tools: readonly NamedCount[]): VNode {
  return h(
    'table',
    { class: 'list block', key: title },
    h('caption', {}, title, h('span', { class: 'quiet' }, ' all time')),
    listHead('Tool', 'Tasks'),
    h(
      'tbody',
      {},
      tools.map(({ tool, tasks, occurrences }) =>
        h(
          'tr',
          { key: tool },
          h('th', { scope: 'row' }, nameNode(printable(tool))),
          h('td', { class: 'number', title: `${count(occurrences)} times` }, count(tasks)),
        ),
      ),
    ),
  );
}

function listHead(...titles: readonly string[]): VNode {
  return h(
    'thead',
    {},
    h(
      'tr',
      {},
      titles.map((title, at) => h('th', { scope: 'col', class: at === 0 ? undefined : 'number' }, title)),
    ),
  );
}
