import { inputFiles } from '../../adapters/files/input-files.ts';
import type { Config } from '../../config/config.ts';
import { deepOf, readerOf, settingsOf } from '../../config/settings.ts';
import { gather } from '../../formats/platforms/gather.ts';
import type { RecordPlace } from '../../formats/platforms/lacks.ts';
import { takeDeadLetters } from '../../pipeline/dead-letters.ts';
import { takeNotes } from '../../pipeline/input-notes.ts';
import { fileLog } from '../../service/file-log.ts';
import { emptyPartition } from '../../state/partition.ts';
import { createFold, endOpenRuns, type Fold, foldRecords } from '../../stream/fold.ts';
import type { Event } from '../../stream/event.ts';
import { activeTruth } from '../../stream/truth-cache.ts';
import { withoutTruth } from '../../stream/truth-overlay.ts';
import { inputText } from '../../terminal/input-text.ts';
import { widthOf } from '../../terminal/terminal-text.ts';
import { inputReport, type PlacedNotes } from '../../view/input-report.ts';
import { countRecords } from '../../view/view.ts';
import { agreed, answerOf, type PlacedAnswer } from './agreement.ts';
import { type TruthOutputOptions, truthOutput, writeGathered } from './truth-output.ts';

/** The events whose answers become truth, and how many must agree. */
export interface Choice {
  /** Models; absent: all. */
  readonly model?: readonly string[];
  /** Index of the run; absent: all. */
  readonly run?: number;
  /** Models, or runs of a model, that must give the same answer; absent: one, which none contradicts. */
  readonly agree?: number;
}

export interface FromEventsOptions extends TruthOutputOptions {
  readonly config: Config;
  readonly choice: Choice;
  readonly signal: AbortSignal;
}

/** Builds truth of the answers in events: a golden run, or a model that is trusted. */
export async function buildFromEvents(options: FromEventsOptions): Promise<void> {
  const { config, choice } = options;
  const gathered = gather();
  const fold = createFold(emptyPartition(settingsOf(config, await deepOf(config))), readerOf(config, false));
  const answers = new Map<string, PlacedAnswer[]>();
  const noted: PlacedNotes = { counts: new Map(), firsts: new Map() };
  await readEvents(fold, noted, options, (event, place) => {
    const answer = isChosen(event, choice) ? answerOf(event, fold.state.settings.toolNaming) : 'chosen_out';
    if (typeof answer === 'string') return gathered.add({ lack: answer }, place);
    const known = answers.get(event.exampleId);
    if (known === undefined) answers.set(event.exampleId, [{ ...answer, place }]);
    else known.push({ ...answer, place });
  });
  for (const [id, given] of answers) {
    const parts = agreed(given, choice.agree);
    const reading = parts === undefined ? ({ lack: 'disagree' } as const) : { id, parts, changedMs: undefined };
    gathered.add(reading, given[0]!.place);
  }
  process.stderr.write(oddities(fold, noted));
  await writeGathered(truthOutput(options), gathered, config.limits);
}

function isChosen({ model, run }: Event, choice: Choice): boolean {
  return (choice.model?.includes(model) ?? true) && (choice.run === undefined || choice.run === (run ?? 0));
}

/** Reads events as `replay` does, without truth. */
async function readEvents(
  fold: Fold,
  noted: PlacedNotes,
  { config, inputs, signal }: FromEventsOptions,
  take: (event: Event, place: RecordPlace) => void,
): Promise<void> {
  const { layout, toolNaming } = fold.state.settings;
  const truth = activeTruth(withoutTruth, layout.families, toolNaming);
  const log = fileLog(config, signal);
  fold.out.onEvent = (event) => {
    const { file, line } = log.placeOf(event.offset);
    take(event, { file, number: line, unit: 'line' });
  };
  for (const file of await inputFiles(inputs))
    for await (const { records } of log.batches(file)) {
      foldRecords(fold, records, 0, records.length, truth);
      takeNotes(fold.out.input, noted, log);
      // Only takes them out of memory.
      takeDeadLetters(fold.out, records, log);
    }
  endOpenRuns(fold, truth);
}

/** The oddities of the input, as `convert` reports them. */
function oddities({ state, reader }: Fold, { firsts }: PlacedNotes): string {
  const records = countRecords([state]);
  const rows = inputReport(records, state.input, firsts).filter(({ kind }) => kind !== 'no_truth');
  return inputText(rows, `${records.read} events read`, reader.notices?.() ?? [], widthOf(process.stderr));
}
