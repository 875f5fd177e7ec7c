import { inputFiles } from '../adapters/files/input-files.ts';
import type { Config } from '../config/config.ts';
import { decodeUtf8 } from '../formats/bytes/utf8.ts';
import { feedbackReader } from '../formats/feedback/record.ts';
import { truthReader } from '../formats/truth/record.ts';
import { conflictIn, emptyBook, type Feedback, type FeedbackBook, withFeedback } from '../stream/feedback-book.ts';
import { fileLog } from './file-log.ts';

/** The feedback of files, and the records of them that are none. */
export interface FeedbackOfFiles {
  readonly book: FeedbackBook;
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
  const read = { book: emptyBook, refused: 0, first: undefined as string | undefined };
  for (const file of await inputFiles(paths))
    for await (const { records } of log.batches(file))
      for (const { bytes, start, end, offset, unread } of records) {
        const text = decodeUtf8(bytes, start, end);
        const problem = unread?.detail ?? (text === undefined ? 'is no UTF-8; write it as UTF-8 text' : undefined);
        const feedback = problem === undefined ? reader.read(text!, Number.NaN) : { problem };
        const refusal = 'problem' in feedback ? feedback.problem : conflictIn(read.book, feedback);
        if (refusal !== undefined) {
          const { line } = log.placeOf(offset);
          read.first ??= `${file}:${line}: ${refusal}`;
          read.refused++;
        } else read.book = withFeedback(read.book, feedback as Feedback);
      }
  return read;
}

/** Text on records of feedback that were refused; empty where there are none. */
export function feedbackText(feedback: FeedbackOfFiles | undefined): string {
  if (feedback === undefined || feedback.refused === 0) return '';
  const { refused, first, book } = feedback;
  return `feedback: ${refused} of ${refused + book.size} records refused; the first: ${first}\n`;
}
