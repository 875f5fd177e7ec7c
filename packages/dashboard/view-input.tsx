import type { VNode } from 'preact';
import { type InputRow, isWrong, placeText, remedyOf } from '../../src/view/input-report.ts';
import { count, printable } from './format.ts';
import type { Shown } from './state.ts';

/** The oddities of the input: the first thing to know of numbers that rest on it. A service shows the kinds, and the rest when asked. */
export function InputView({ picture: { document, isReport } }: Shown): VNode | null {
  const { input, records } = document;
  // Of a service that waits for truth nothing is wrong.
  const rows = input.filter(({ kind }) => isReport || kind !== 'no_truth' || (records?.expired ?? 0) > 0);
  if (rows.length === 0) return null;
  return (
    <section class="input" aria-label="The input">
      <InputRows title="What was wrong with the input" rows={rows.filter(isWrong)} isOpen={isReport} />
      <InputRows
        title="How decisions in words were read"
        rows={rows.filter((row) => !isWrong(row))}
        isOpen={isReport}
      />
    </section>
  );
}

interface InputRowsProps {
  readonly title: string;
  readonly rows: readonly InputRow[];
  readonly isOpen: boolean;
}

function InputRows({ title, rows, isOpen }: InputRowsProps): VNode | null {
  if (rows.length === 0) return null;
  return (
    <details open={isOpen}>
      <summary>
        <strong>{title}</strong>
        <span class="quiet"> {rows.map((row) => `${row.what}: ${count(row.count)}`).join(' · ')}</span>
      </summary>
      <ul>
        {rows.map((row) => (
          <InputItem key={row.kind} {...row} />
        ))}
      </ul>
    </details>
  );
}

function InputItem(row: InputRow): VNode {
  const { kind, count: number, what, first, value } = row;
  const remedy = remedyOf(row);
  return (
    <li data-path={`input.${kind}`} data-value={number}>
      <strong>
        {what}: {count(number)}
      </strong>
      {first !== null && (
        <span class="example">
          first at <bdi class="code">{printable(placeText(first))}</bdi>
          {value !== null && <code> {printable(value)}</code>}
        </span>
      )}
      {remedy && <span class="quiet">{remedy}</span>}
    </li>
  );
}
