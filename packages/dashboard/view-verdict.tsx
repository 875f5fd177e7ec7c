import type { VNode } from 'preact';
import type { LiveDocument } from '../../src/formats/summary/live-document.ts';
import { headlines, type LiveGroup } from '../../src/formats/summary/live-group.ts';
import {
  count,
  countsText,
  coverageShare,
  interval,
  isShare,
  numberIn,
  percent,
  plural,
  type Reading,
  reading,
  readingTitle,
  sinceText,
  windowText,
} from './format.ts';
import { Action, alarmMark, exact, Name, RangeBar, Section } from './parts.tsx';
import { nameOf, type Picture, type Shown } from './state.ts';
import { hasNoData, isTruthless, NoDataView, NoTruthView } from './view-empty.tsx';

/** The rates in large: title where that of the metric needs its table around it, and the reason why there is no number. */
const tiles: readonly { readonly path: string; readonly title?: string; readonly lack: string }[] = [
  { path: 'match.correct', lack: 'No truth says which calls are right.' },
  { path: 'decision.accuracy', title: 'Decision accuracy', lack: 'No truth says what to decide.' },
  { path: 'tool_use.unknown_tool', title: 'Invented tools', lack: 'No event says which tools there are.' },
  { path: 'tool_use.failed', title: 'Failed tools', lack: 'No call has a result.' },
  { path: 'decision.tool_hall', lack: 'In no event could it happen.' },
  { path: 'decision.param_hall', lack: 'In no event could it happen.' },
  { path: 'decision.answer_hall', lack: 'In no event could it happen.' },
];

/** A rate whose interval is wider says too little. */
const widthMax = 0.2;

/** The section "Is it right?": the group in focus in a few rates, each with its counts and its interval. */
export function VerdictView(shown: Shown): VNode | null {
  const { picture, choices } = shown;
  const { focus, total, window, document } = picture;
  if (hasNoData(picture)) return <NoDataView {...shown} />;
  if (focus === undefined) return null;
  const isTotal = focus.id === total?.id;
  const listed = isTruthless(focus) ? tiles.filter(({ path }) => path.startsWith('tool_use.')) : tiles;
  const scored = `${plural(focus.n, 'decision')} scored${isTotal ? basis(document, window) : ''}`;
  return (
    <Section name="verdict" title="Is it right?" note={`${windowText(window)}, ${scored}`}>
      <p class="row">
        <strong>{isTotal ? coverText(document) : <Name text={nameOf(focus)} />}</strong>
        {!isTotal && (
          <Action action="focus" id={focus.id} class="link quiet">
            back to all traffic
          </Action>
        )}
      </p>
      {isTotal && ![undefined, focus.id].includes(choices.focus) && (
        <p>
          <strong>No group of this window is the chosen one: these are the numbers of all traffic.</strong>
        </p>
      )}
      {heldText(document)}
      <dl class="tiles">
        {listed.map((tile) => (
          <Tile key={tile.path} {...tile} focus={focus} picture={picture} />
        ))}
      </dl>
      {isTruthless(focus) && <NoTruthView {...shown} />}
    </Section>
  );
}

interface TileProps {
  readonly path: string;
  readonly title?: string;
  readonly lack: string;
  readonly focus: LiveGroup;
  readonly picture: Picture;
}

function Tile({ path, title, lack, focus, picture: { firing } }: TileProps): VNode {
  const { title: declared, help } = headlines.find((headline) => headline.path === path)!;
  const of = focus.headlines[path];
  const isAlarm = firing.paths.get(focus.id)?.has(path) ?? false;
  const thin = thinText(of, lack);
  const kind = ['tile', isAlarm && 'is-alarm', thin !== undefined && 'is-thin'].filter(Boolean).join(' ');
  return (
    <div class={kind}>
      <dt title={help}>
        {isAlarm && alarmMark()}
        {title ?? declared}
      </dt>
      <dd class="big value" {...exact(path, of)} title={readingTitle(of)}>
        {reading(of)}
      </dd>
      {numberIn(of) !== null && (
        <dd class="note">
          <span class="piece">{countsText(of)}</span> <span class="piece">{isShare(of) && interval(of)}</span>
        </dd>
      )}
      {isShare(of) && of.value !== null && <RangeBar {...of} />}
      {thin !== undefined && <dd class="note thin">{thin}</dd>}
      {sinceText(focus, path) && <dd class="note">{sinceText(focus, path)}</dd>}
    </div>
  );
}

/** The reason why a number says too little; undefined where it says enough. */
function thinText(of: Reading | undefined, lack: string): string | undefined {
  if (!isShare(of) || of.lower === null || of.upper === null) return lack;
  const width = of.upper - of.lower;
  if (width <= widthMax) return undefined;
  const cases = 'denominator' in of ? `Only ${plural(of.denominator, 'case')}` : 'Too few cases';
  return `${cases}: the interval is ${Math.round(100 * width)} points wide.`;
}

/** The events that the numbers leave out: those of the window that are not scored, calls that are malformed. */
function basis({ coverage, records, windows_counts: windows }: LiveDocument, window: string): string {
  const counted = windows.find((one) => one.window === window);
  const ofAll = window === 'all' ? (coverage?.value ?? null) : null;
  const share = ofAll ?? (counted === undefined ? null : coverageShare(counted)) ?? 1;
  const malformed = window === 'all' ? (records?.malformed_calls ?? 0) : 0;
  return `${share < 1 ? `, coverage ${percent(share)}` : ''}${malformed > 0 ? `, ${plural(malformed, 'malformed call')}` : ''}`;
}

/** An instance of several shows its own partitions alone. */
function isPart({ service }: LiveDocument): boolean {
  return service !== null && service.partitions.length < service.partitions_of;
}

function coverText(document: LiveDocument): string {
  if (!isPart(document)) return 'All traffic';
  const { partitions, partitions_of: all } = document.service!;
  return `${count(partitions.length)} of ${plural(all, 'partition')}`;
}

function heldText(document: LiveDocument): VNode | null {
  if (!isPart(document)) return null;
  const names = document.service!.partitions.map(({ name }) => name).join(', ');
  return <p class="quiet">{`All numbers here are of ${names}. One page over all partitions: assay view.`}</p>;
}
