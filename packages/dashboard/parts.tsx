import type { ComponentChildren, ComponentProps, VNode } from 'preact';
import type { HistoryValue } from '../../src/formats/summary/history.ts';
import type { Rate } from '../../src/scoring/reading.ts';
import { interval, isShare, numberIn, printable, type Reading, reading, readingTitle } from './format.ts';
import { sparkLines, sparkSize } from './spark.ts';

interface SectionProps {
  readonly name?: string;
  readonly title: ComponentChildren;
  /** The subject of the title, in smaller letters. */
  readonly note?: string;
  /** Level of the heading. */
  readonly level?: 2 | 3 | 4;
  readonly children: ComponentChildren;
}

/** A part of the page with a heading. */
export function Section({ name, title, note, level = 2, children }: SectionProps): VNode {
  const Heading = `h${level}` as const;
  return (
    <section class={name}>
      <Heading>
        {title}
        {note && <span class={level === 2 ? 'quiet' : 'note'}> {note}</span>}
      </Heading>
      {children}
    </section>
  );
}

/** A text from events as one piece with a direction of its own; a name is one line, cut where there is no room. */
export function Name({ text, kind = 'name' }: { readonly text: string; readonly kind?: string }): VNode {
  const shown = printable(text);
  return (
    <bdi class={kind} title={shown}>
      {shown}
    </bdi>
  );
}

type ActionProps = ComponentProps<'button'> & {
  /** The action of `choose`. */
  readonly action: string;
  readonly id?: string;
};

/** A button that changes what is shown. */
export function Action({ action, id, ...rest }: ActionProps): VNode {
  return <button type="button" class="tool" data-action={action} data-id={id} {...rest} />;
}

/** A wide table moves under its frame, with the keyboard too. */
export function Scroll({ label, children }: { readonly label: string; readonly children: ComponentChildren }): VNode {
  return (
    <section class="scroll" aria-label={label} tabindex={0}>
      {children}
    </section>
  );
}

interface TableProps {
  readonly caption: string;
  /** A heading says the same. */
  readonly isCaptionHidden?: boolean;
  readonly note?: string;
  /** Titles of the columns: the first names the rows, numbers follow. */
  readonly titles?: readonly string[];
  readonly children: ComponentChildren;
}

/** A table of names and numbers. */
export function Table({ caption, isCaptionHidden = false, note, titles, children }: TableProps): VNode {
  return (
    <table>
      <caption class={isCaptionHidden ? 'hidden-text' : undefined}>
        {caption}
        {note && <span class="note"> {note}</span>}
      </caption>
      {titles && (
        <thead>
          <tr>
            {titles.map((title, at) => (
              <th key={title} scope="col" class={at === 0 ? undefined : 'number'}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>{children}</tbody>
    </table>
  );
}

interface RowProps {
  readonly head: ComponentChildren;
  readonly under?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A row of a table: what it is of, then its cells. */
export function Row({ head, under, children }: RowProps): VNode {
  return (
    <tr>
      <th scope="row">
        {head}
        {under && <small class="under">{under}</small>}
      </th>
      {children}
    </tr>
  );
}

interface Pair {
  /** Path of the summary. */
  readonly path: string;
  readonly title: string;
  readonly help?: string;
  readonly of: Reading | undefined;
  readonly text: string;
}

/** Titles and numbers, a line each. */
export function Pairs({ caption, pairs }: { readonly caption: string; readonly pairs: readonly Pair[] }): VNode {
  return (
    <Table caption={caption} isCaptionHidden>
      {pairs.map(({ path, title, help, of, text }) => (
        <Row key={path} head={[title, ' ', help && <small class="note">{help}</small>]}>
          <td class="number" {...exact(path, of)} title={readingTitle(of)}>
            {text}
          </td>
        </Row>
      ))}
    </Table>
  );
}

/** Attributes by which tests (and people with the inspector) find the exact number. */
export function exact(path: string, of: Reading | undefined): Readonly<Record<`data-${string}`, string>> {
  return { 'data-path': path, 'data-value': String(numberIn(of)) };
}

interface ReadingCellProps {
  /** Path of the summary. */
  readonly path: string;
  readonly of: Reading | undefined;
  readonly isAlarm?: boolean;
}

/** A cell with a number, and its interval below. */
export function ReadingCell({ path, of, isAlarm = false }: ReadingCellProps): VNode {
  const kind = isAlarm ? 'number is-alarm' : 'number';
  return (
    <td class={kind} title={readingTitle(of)} {...exact(path, of)}>
      {isAlarm && alarmMark()}
      <span class="value">{reading(of)}</span>
      <small class="under interval">{isShare(of) && interval(of)}</small>
    </td>
  );
}

/** The mark beside a metric whose watch fires. */
export function alarmMark(): VNode {
  return (
    <span class="mark">
      ▲<span class="hidden-text">alarm: </span>
    </span>
  );
}

/** A difference by a sign and in words: not by colour alone. */
export function Mark({ sign, text }: { readonly sign: string; readonly text: string }): VNode {
  return (
    <span class="mark">
      {sign}
      <span class="hidden-text">{text}: </span>
    </span>
  );
}

/** Where a known rate lies between 0 and 1, and how sure that is. Decoration: the numbers stand beside it. */
export function RangeBar({ value, lower, upper }: Pick<Rate, 'value' | 'lower' | 'upper'>): VNode {
  const at = (share: number): string => `${(100 * share).toFixed(2)}%`;
  return (
    <dd
      class="range"
      aria-hidden="true"
      style={{ '--lower': at(lower!), '--upper': at(upper!), '--value': at(value!) }}
    />
  );
}

interface SparklineProps {
  readonly values: readonly HistoryValue[] | undefined;
  readonly better: 'higher' | 'lower';
  readonly label: string;
}

/** The history of a number as a small line without axes. */
export function Sparkline({ values, better, label }: SparklineProps): VNode | null {
  const lines = sparkLines(values ?? [], better);
  if (lines.length === 0) return null;
  return (
    <svg class="spark" viewBox={`0 0 ${sparkSize.join(' ')}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {lines.map((points) => (
        <polyline key={points} points={points} />
      ))}
    </svg>
  );
}
