import type { Config } from '../config/config.ts';
import type { Sample } from '../formats/summary/review.ts';
import { appendText, type PendingLog, removeText } from '../state/containers/pending-log.ts';
import { redactedOf } from './shows-content.ts';

/** The newest failures of a partition, in its checkpoints: a restart shows them again. Nothing of the numbers depends on them. */
export interface KeptSamples {
  /** Adds a failure to the log of a partition; the oldest makes room. */
  add(log: PendingLog, failure: Sample): void;
  /** Reads the failures of a restored log, the oldest first: those that are shown in the same way now. */
  read(log: PendingLog): Sample[];
}

const samplesMost = 50;

/** Keeps failures as a configuration shows them. */
export function keptSamples(config: Config): KeptSamples {
  const shown = shownBy(config);
  return {
    add(log, failure) {
      appendText(log, `${shown}\n${JSON.stringify(failure)}`);
      for (const number of log.texts.keys()) {
        if (log.texts.size <= samplesMost) break;
        removeText(log, number);
      }
    },
    read: (log) =>
      [...log.texts.values()]
        .filter((text) => text.startsWith(`${shown}\n`))
        .map((text) => JSON.parse(text.slice(shown.length + 1)) as Sample),
  };
}

/** The settings that a sample depends on, as a text of one line: what is hidden now must not come out of an old one. */
function shownBy(config: Config): string {
  const redacted = redactedOf(config.http);
  return JSON.stringify([redacted === 'all' ? redacted : [...redacted].sort(), config.slices, config.links]);
}
