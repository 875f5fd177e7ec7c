import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { HistoryMetric } from '../../src/formats/summary/history.ts';
import { Chart } from './chart.tsx';
import { type Pointer, shownSpan, type TimeRange } from './chart-data.ts';
import type { Shown } from './state.ts';

/** The event by which charts tell the time range that was dragged over one, `<from>,<until>` in ms. */
export const rangeChosen = 'range-chosen';

/** Share of the width of the least drag: a click with an unsteady hand is none. */
const dragMin = 0.01;

/** Width of a drawing in pixels until it is known. */
const narrowest = 240;

/** The charts of some metrics, which share a pointer. A drag over one chooses a time range. */
export function Charts({ metrics, ...shown }: Shown & { readonly metrics: readonly HistoryMetric[] }): VNode {
  const place = useRef<HTMLDivElement>(null);
  const [pointer, setPointer] = useState<Pointer>();
  const [widthPx, setWidth] = useState(narrowest);
  const now = useRef<Showing>({ pointer, at: [], range: {} });
  const { from, until } = shown.choices;
  now.current = { pointer, at: shown.picture.history!.at, range: { from, until } };
  useLayoutEffect(() => listen(place.current!, () => now.current, setPointer), []);
  useLayoutEffect(() => {
    const measure = (): void => setWidth(place.current!.querySelector('.field-of-lines')?.clientWidth || narrowest);
    const observer = new ResizeObserver(measure);
    observer.observe(place.current!);
    measure();
    return () => observer.disconnect();
  }, [metrics.length]);
  return (
    <div ref={place} class="charts">
      {metrics.map((metric) => (
        <Chart key={metric.path} metric={metric} pointer={pointer} widthPx={widthPx} {...shown} />
      ))}
    </div>
  );
}

interface Showing {
  readonly pointer: Pointer | undefined;
  /** Times of the history, ms. */
  readonly at: readonly number[];
  readonly range: Partial<TimeRange>;
}

/** Listens to the pointer until the returned function is called. */
function listen(place: HTMLElement, now: () => Showing, set: (pointer: Pointer | undefined) => void): () => void {
  const move = (event: PointerEvent): void => {
    const { pointer } = now();
    set(pointerAt(event, event.buttons === 1 ? pointer?.dragFrom : undefined));
  };
  const press = (event: PointerEvent): void => {
    const pointer = pointerAt(event, undefined);
    set(pointer && { ...pointer, dragFrom: pointer.x });
  };
  const release = (event: PointerEvent): void => {
    const { pointer, at, range } = now();
    const end = pointerAt(event, undefined);
    set(end);
    if (pointer?.dragFrom === undefined || end === undefined || Math.abs(end.x - pointer.dragFrom) < dragMin) return;
    const [fromMs, untilMs] = shownSpan(at, { from: range.from, until: range.until });
    const ends = [pointer.dragFrom, end.x].map((x) => Math.round(fromMs + x * (untilMs - fromMs)));
    place.dispatchEvent(new CustomEvent(rangeChosen, { bubbles: true, detail: ends.join() }));
  };
  const events = new AbortController();
  const { signal } = events;
  place.addEventListener('pointermove', move, { signal });
  place.addEventListener('pointerdown', press, { signal });
  place.addEventListener('pointerup', release, { signal });
  place.addEventListener('pointerleave', () => set(undefined), { signal });
  place.addEventListener('pointercancel', () => set(undefined), { signal });
  return () => events.abort();
}

/** Where the pointer is over a chart; undefined beside them. */
function pointerAt({ target, clientX, clientY }: PointerEvent, dragFrom: number | undefined): Pointer | undefined {
  const field = (target as Element).closest('.field-of-lines');
  if (field === null) return undefined;
  const { left, top, width, height } = field.getBoundingClientRect();
  const share = (value: number): number => Math.max(0, Math.min(1, value));
  const path = field.closest<HTMLElement>('.plot')!.dataset['chart']!;
  return { path, x: share((clientX - left) / width), y: share((clientY - top) / height), dragFrom };
}
