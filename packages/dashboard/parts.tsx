import type { ComponentChildren, VNode } from 'preact';
import type { HistoryValue } from '../../src/formats/summary/history.ts';
import type { Rate } from '../../src/scoring/reading.ts';
import { interval, isRate, numberIn, printable, type Reading, reading, readingTitle } from './format.ts';
import { sparkLines, sparkSize } from './spark.ts';

interface PartProps {
  readonly name?: string;
  readonly title: ComponentChildren;
  /** What the title is of, in smaller letters. */
  readonly note?: string;
  readonly children: ComponentChildren;
}

/** A part of the page with a heading. */
export function Section({ name, title, note, children }: PartProps): VNode {
  return (
    <section class={name}>
      <h2>
        {title}
        {note && <span class="quiet"> {note}</span>}
      </h2>
      {children}
    </section>
  );
}

/** A part of a section with a heading of its own. */
export function Block({ name = '', title, note, children }: PartProps): VNode {
  return (
    <div class={`block ${name}`}>
      <h3>
        {title}
        {note && <span class="quiet"> {note}</span>}
      </h3>
      {children}
    </div>
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

/** Text for those who hear the page. */
export function Hidden({ children }: { readonly children: ComponentChildren }): VNode {
  return <span class="hidden-text">{children}</span>;
}

interface ActionProps {
  /** What `choose` does with it. */
  readonly action: string;
  readonly id?: string;
  readonly class?: string;
  readonly title?: string;
  readonly 'aria-pressed'?: boolean;
  readonly 'aria-expanded'?: boolean;
  readonly children: ComponentChildren;
}

/** A button that changes what is shown. */
export function Action({ action, id, class: kind = 'tool', children, ...rest }: ActionProps): VNode {
  return (
    <button type="button" class={kind} data-action={action} data-id={id} {...rest}>
      {children}
    </button>
  );
}

interface ShowAllProps {
  readonly action: string;
  readonly isOpen: boolean;
  /** How many there are. */
  readonly all: number;
  readonly fewer: string;
}

/** Opens and closes a long list. */
export function ShowAll({ action, isOpen, all, fewer }: ShowAllProps): VNode {
  return (
    <Action action={action} aria-expanded={isOpen}>
      {isOpen ? `Show ${fewer} only` : `Show all ${all}`}
    </Action>
  );
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
  readonly caption: ComponentChildren;
  /** A heading says the same. */
  readonly isCaptionHidden?: boolean;
  /** Of the columns: the first names the rows, numbers follow. */
  readonly titles: readonly string[];
  readonly children: ComponentChildren;
}

/** A table of names and numbers. */
export function Table({ caption, isCaptionHidden = false, titles, children }: TableProps): VNode {
  return (
    <table class="block">
      <caption class={isCaptionHidden ? 'hidden-text' : undefined}>{caption}</caption>
      <thead>
        <tr>
          {titles.map((title, at) => (
            <th key={title} scope="col" class={at === 0 ? undefined : 'number'}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
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
export function Pairs({ pairs }: { readonly pairs: readonly Pair[] }): VNode {
  return (
    <dl class="pairs">
      {pairs.map(({ path, title, help, of, text }) => (
        <div key={path}>
          <dt>
            {title} {help && <small class="quiet">{help}</small>}
          </dt>
          <dd {...exact(path, of)} title={readingTitle(of)}>
            {text}
          </dd>
        </div>
      ))}
    </dl>
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
  /** Title of the column, for where the table is a list of cards. */
  readonly label?: string;
  readonly isAlarm?: boolean;
}

/** A cell with a number, and its interval below. */
export function ReadingCell({ path, of, label, isAlarm = false }: ReadingCellProps): VNode {
  const kind = isAlarm ? 'number is-alarm' : 'number';
  return (
    <td role="cell" class={kind} data-label={label} title={readingTitle(of)} {...exact(path, of)}>
      {isAlarm && (
        <span class="mark">
          ▲<Hidden>clearly worse than before: </Hidden>
        </span>
      )}
      <span class="value">{reading(of)}</span>
      <small class="under interval">{isRate(of) && interval(of)}</small>
    </td>
  );
}

interface TileProps {
  readonly title: ComponentChildren;
  readonly isAlarm?: boolean;
  readonly value: ComponentChildren;
  /** `dd`. */
  readonly children: ComponentChildren;
}

/** A large number. */
export function Tile({ title, isAlarm = false, value, children }: TileProps): VNode {
  return (
    <div class={isAlarm ? 'tile is-alarm' : 'tile'}>
      <dt>{title}</dt>
      <dd class="big">{value}</dd>
      {children}
    </div>
  );
}

/** Where a known rate lies between 0 and 1, and how sure that is. Decoration: the numbers stand beside it. */
export function RangeBar({ value, lower, upper }: Rate): VNode {
  const at = (share: number): string => `${(100 * share).toFixed(2)}%`;
  return (
    <dd
      class="range"
      aria-hidden="true"
      style={{ '--lower': at(lower!), '--width': at(upper! - lower!), '--value': at(value!) }}
    >
      <span />
    </dd>
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
