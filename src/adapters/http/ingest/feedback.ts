import { type FeedbackReader, withIdentity } from '../../../formats/feedback/record.ts';
import { keyBytes, type Problem, type Taken } from './taken.ts';
import { takeTexts } from './texts.ts';

/**
 * Reads the feedback records of a body (docs/reference/feedback.md). Each is appended with its id, which is its key too, and with its time: that of
 * arrival where it names none.
 */
export function takeFeedback(
  body: Buffer,
  reader: FeedbackReader,
  { recordBytes, nowMs }: { readonly recordBytes: number; readonly nowMs: number },
): Promise<Taken | Problem> {
  return takeTexts(body, recordBytes, (text) => {
    const feedback = reader.read(text, nowMs);
    return 'problem' in feedback
      ? { code: 'schema', detail: feedback.problem }
      : { key: keyBytes(feedback.id), value: Buffer.from(withIdentity(text, feedback)) };
  });
}
