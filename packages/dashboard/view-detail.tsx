import type { VNode } from 'preact';
import type { NamedCount, Worst } from '../../src/formats/summary/live-group.ts';
import type { DecisionBlock } from '../../src/scoring/decision/metrics.ts';
import { labels, predictedNames } from '../../src/scoring/label.ts';
import { count, percent, printable, windowText } from './format.ts';
import { Name, ReadingCell, Row, Scroll, Section, Table } from './parts.tsx';
import type { Shown } from './state.ts';
import { JudgedView } from './view-judged.tsx';
import { WrongArgumentsView } from './view-match.tsx';
import { StabilityView } from './view-stability.tsx';

/** One group closely: what was decided instead of what, how stable that is, and where its calls go wrong. */
export function DetailView({ picture: { focus, window } }: Shown): VNode | null {
  if (focus?.detail == null) return null;
  const { decision, stability, worst, wrong, judged } = focus.detail;
  return (
    <div class="detail">
      <p class="note">{`${windowText(window)}; what exists for all time only says so`}</p>
      <div class="columns">
        {decision !== null && <ConfusionView {...decision} />}
        {stability !== null && <StabilityView {...stability} />}
      </div>
      {judged.length > 0 && <JudgedView judged={judged} />}
      {wrong.length > 0 && <WrongArgumentsView wrong={wrong} />}
      {worst !== null && <WorstView {...worst} />}
    </div>
  );
}

/** Decisions in plain words, and as titles of columns. */
const labelTexts: Readonly<Record<string, readonly [text: string, short: string]>> = {
  direct: ['answer directly', 'answer'],
  tool_call: ['call a tool', 'call'],
  request_for_info: ['ask back', 'ask'],
  cannot_answer: ['say it cannot', 'cannot'],
  invalid: ['none of these', 'none'],
};

/** A decision in plain words. */
export function labelText(label: string): string {
  return labelTexts[label]?.[0] ?? printable(label);
}

function ConfusionView({ confusion, per_class: perClass, inferred, n }: DecisionBlock): VNode {
  const isPredicted = (label: string): boolean => labels.some((gold) => confusion[gold]![label]! > 0);
  const columns = predictedNames.map((name) => [name, labelTexts[name]![1]] as const);
  return (
    <Section level={4} name="confusion" title="Decided, against what was right">
      <p class="note">
        Rows: what was right. Columns: what was decided. The deeper the colour, the greater the share of the row.
      </p>
      {inferred > 0 && (
        <p class="note" data-path="decision.inferred" data-value={String(inferred)}>
          {count(inferred)} of {count(n)} decisions were read from words, by decision.rules.
        </p>
      )}
      <Scroll label="Table: confusion matrix">
        <table>
          <caption class="hidden-text">Confusion matrix. Rows: what was right. Columns: what was decided.</caption>
          <thead>
            <tr>
              <th scope="col">Right</th>
              {[...columns, ['recall', 'Recall'] as const].map(([name, short]) => (
                <th key={name} scope="col" class="number" title={name}>
                  {short}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{labels.map((gold) => confusionRow(gold, confusion[gold]!, perClass[gold]!))}</tbody>
          <tfoot>
            <Row head="Precision">
              {labels.map((label) => (
                <td key={label} class="number">
                  {percent(isPredicted(label) ? perClass[label]!.precision : null)}
                </td>
              ))}
              <td colspan={2} />
            </Row>
          </tfoot>
        </table>
      </Scroll>
    </Section>
  );
}

function confusionRow(
  gold: string,
  row: Readonly<Record<string, number>>,
  of: DecisionBlock['per_class'][string],
): VNode {
  const { support, recall } = of;
  return (
    <Row key={gold} head={labelText(gold)} under={count(support)}>
      {predictedNames.map((predicted) => {
        const cell = row[predicted]!;
        const share = support === 0 ? 0 : cell / support;
        return (
          <td
            key={predicted}
            class={predicted === gold ? 'number cell' : 'number cell is-wrong'}
            style={{ '--depth': Math.sqrt(share).toFixed(3) }}
            title={support === 0 ? undefined : `${count(cell)} of ${count(support)}, ${percent(share)}`}
            data-path={`decision.confusion.${gold}.${predicted}`}
            data-value={String(cell)}
          >
            {count(cell)}
          </td>
        );
      })}
      <td class="number">{percent(support === 0 ? null : recall)}</td>
    </Row>
  );
}

function WorstView({ tools, parameters, missing, extra }: Worst): VNode {
  return (
    <div class="worst columns">
      {worstTable('Tools that fail most', ['Tool', 'Failed', 'Succeeded'], tools.map(toolRow))}
      {worstTable('Arguments that are wrong most', ['Argument', 'Wrong'], parameters.map(parameterRow))}
      {worstTable('Tools not called that should have been', ['Tool', 'Tasks'], missing.map(misnamedRow))}
      {worstTable('Tools called that should not have been', ['Tool', 'Tasks'], extra.map(misnamedRow))}
    </div>
  );
}

function worstTable(title: string, titles: readonly string[], rows: readonly VNode[]): VNode | false {
  return rows.length > 0 && <Table key={title} caption={title} note="all time" titles={titles} children={rows} />;
}

function toolRow({ tool, success }: Worst['tools'][number]): VNode {
  return (
    <Row key={tool} head={<Name text={tool} />}>
      <td class="number">{count(success.denominator - success.numerator)}</td>
      <ReadingCell path={`trajectory.tools.${tool}.success`} of={success} />
    </Row>
  );
}

function parameterRow({ tool, parameter, count: wrong }: Worst['parameters'][number]): VNode {
  const ofTool = ['of ', <Name key={tool} text={tool} />];
  return (
    <Row key={JSON.stringify([tool, parameter])} head={<Name text={parameter} />} under={ofTool}>
      <td class="number">{count(wrong)}</td>
    </Row>
  );
}

function misnamedRow({ tool, tasks, occurrences }: NamedCount): VNode {
  return (
    <Row key={tool} head={<Name text={tool} />}>
      <td class="number" title={`${count(occurrences)} times`}>
        {count(tasks)}
      </td>
    </Row>
  );
}
