import { inputFiles } from '../adapters/files/input-files.ts';
import type { Config } from '../config/config.ts';
import { decodeUtf8 } from '../formats/bytes/utf8.ts';
import { feedbackReader } from '../formats/feedback/record.ts';
import { truthReader } from '../formats/truth/record.ts';
import {
  aboutText,
  conflictIn,
  emptyBook,
  type Feedback,
  type FeedbackBook,
  withFeedback,
} from '../stream/feedback-book.ts';
import type { PlacedSample } from '../view/input-report.ts';
import { type FilePlace, fileLog } from './file-log.ts';

interface PlacedFeedback {
  readonly feedback: Feedback;
  readonly place: FilePlace;
}

/** The feedback of files, and the records of them that are none. */
export interface FeedbackOfFiles {
  readonly book: FeedbackBook;
  /** The records of the book, with their places. */
  readonly records: readonly PlacedFeedback[];
  readonly refused: number;
  /** Place and problem of the first of these. */
  readonly first: string | undefined;
}

/** Reads the feedback records of files and folders. */
export async function feedbackOfFiles(
  paths: readonly string[],
  config: Config,
  signal: AbortSignal,
): Promise<FeedbackOfFiles> {
  const { limits, truth } = config;
  const reader = feedbackReader(truthReader({ limits, fields: truth.fields }));
  const log = fileLog(config, signal);
  const placed: PlacedFeedback[] = [];
  const read = { book: emptyBook, records: placed, refused: 0, first: undefined as string | undefined };
  for (const file of await inputFiles(paths))
    for await (const { records } of log.batches(file))
      for (const { bytes, start, end, offset, unread } of records) {
        const text = decodeUtf8(bytes, start, end);
        const problem = unread?.detail ?? (text === undefined ? 'is no UTF-8; write it as UTF-8 text' : undefined);
        const feedback = problem === undefined ? reader.read(text!, Number.NaN) : { problem };
        const refusal = 'problem' in feedback ? feedback.problem : conflictIn(read.book, feedback);
        const place = log.placeOf(offset);
        if ('problem' in feedback || refusal !== undefined) {
          read.first ??= `${file}:${place.line}: ${refusal}`;
          read.refused++;
          continue;
        }
        const book = withFeedback(read.book, feedback);
        if (book !== read.book) placed.push({ feedback, place });
        read.book = book;
      }
  return read;
}

/** The records about no event: their number, and the first of them. `reached`: ids of those that reached one. */
export function unmatchedIn({ records }: FeedbackOfFiles, reached: ReadonlySet<string>) {
  const unmatched = records.filter(({ feedback }) => !reached.has(feedback.id));
  const [first] = unmatched;
  const sample: PlacedSample | undefined = first && { source: first.place, value: aboutText(first.feedback.about) };
  return { count: unmatched.length, first: sample };
}

/** Text on records of feedback that were refused; empty where there are none. */
export function feedbackText(feedback: FeedbackOfFiles | undefined): string {
  if (feedback === undefined || feedback.refused === 0) return '';
  const { refused, first, book } = feedback;
  return `feedback: ${refused} of ${refused + book.size} records refused; the first: ${first}\n`;
}
