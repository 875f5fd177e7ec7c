import type { Config } from '../../config/config.ts';
import type { Clock, Log } from '../../ports.ts';
import { inputRow, isWrong, noteKinds, type PlacedNotes, placeText } from '../../view/input-report.ts';
import { inputLine } from '../../terminal/input-text.ts';
import { shownRows } from '../../service/shows-content.ts';

export interface InputLogOptions {
  readonly notes: PlacedNotes;
  /** Texts on what no record had so far. */
  readonly notices: () => Iterable<string>;
  readonly config: Config;
  readonly log: Log;
  readonly clock: Pick<Clock, 'sleep'>;
}

const everyMs = 60_000;

/** Logs each minute what was wrong with the input since the last time, and at the end what is left: a line for each kind. */
export async function runInputLog(options: InputLogOptions, over: AbortSignal): Promise<void> {
  let said = new Set<string>();
  while (!over.aborted) {
    await options.clock.sleep(everyMs, over);
    logInput(options);
    // A notice that has not changed is of the same records.
    const notices = new Set(options.notices());
    for (const notice of notices) if (!said.has(notice)) options.log.warn({}, `input: ${notice}`);
    said = notices;
  }
}

function logInput({ notes, config, log }: InputLogOptions): void {
  const rows = noteKinds.flatMap((kind) => {
    const count = notes.counts.get(kind) ?? 0;
    return count > 0 ? [inputRow(kind, count, notes.firsts.get(kind))] : [];
  });
  notes.counts.clear();
  for (const row of shownRows(rows, config)) {
    const { kind, count, first, value } = row;
    log[isWrong(row) ? 'warn' : 'info'](
      { kind, count, first: first && placeText(first), value },
      `input: ${inputLine(row)}`,
    );
  }
}
