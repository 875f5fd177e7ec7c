import { type ScoreRow, scoreRow } from '../../src/formats/snapshot/score-row.ts';
import { labels } from '../../src/scoring/label.ts';
import type { LogRecord } from '../../src/stream/event.ts';
import { callForms, eventJson, outputForms, toolForms } from '../sim/event.ts';
import type { Random } from '../sim/prng.ts';
import { exampleCount, truthVersion } from '../sim/truth.ts';
import { configWith, recordAt, foldingOf } from './folding.ts';

/** Events of few contents, so that they repeat; every one has its own id, time and run. */
export function repeatingRecords(random: Random, count: number): LogRecord[] {
  const contents = Array.from({ length: 60 }, () => ({
    example: random.int(exampleCount),
    label: random.pick([...labels, 'nonsense', undefined] as const),
    calls: random.pick(callForms),
    tools: random.pick(toolForms),
    error: random.chance(0.1),
    success: random.pick([undefined, undefined, true, false]),
  }));
  return Array.from({ length: count }, (_, offset) => {
    const event = eventJson(
      {
        ...random.pick(contents),
        output: random.pick(outputForms),
        eventId: `event-${offset}`,
        tsMs: 1.78e12 + 1_000 * offset,
        tsForm: 'number',
        model: random.pick(['m1', 'm2', undefined]),
        agent: random.pick(['a1', undefined]),
        env: undefined,
        run: random.pick([undefined, offset]),
      },
      true,
    );
    return recordAt(event, offset, 1.78e12 + 1_000 * offset);
  });
}

/** Rows of such events. */
export function scoredRows(random: Random, count: number): ScoreRow[] {
  const { fold, state, apply } = foldingOf(configWith(), truthVersion(4, true));
  const rows: ScoreRow[] = [];
  fold.out.onScored = (scored) => {
    const source = { topic: 't', partition: 1, offset: scored.event.offset };
    rows.push(scoreRow(scored, state.settings.layout, source, ['agent']));
  };
  apply(repeatingRecords(random, count));
  return rows;
}
