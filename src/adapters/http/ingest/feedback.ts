import { decodeUtf8 } from '../../../formats/bytes/utf8.ts';
import { type FeedbackReader, withIdentity } from '../../../formats/feedback/record.ts';
import type { IntakeRecord } from '../../../ports.ts';
import { eachRecord } from './json-records.ts';
import { keyBytes, pacing, type Problem, type Refusal, type Taken } from './taken.ts';

/**
 * Reads the feedback records of a body (docs/reference/feedback.md). Each is appended with its id, which is its key too, and with its time: that of
 * arrival where it names none.
 */
export async function takeFeedback(
  body: Buffer,
  reader: FeedbackReader,
  { recordBytes, nowMs }: { readonly recordBytes: number; readonly nowMs: number },
): Promise<Taken | Problem> {
  const records: IntakeRecord[] = [];
  const rejected: Refusal[] = [];
  const pace = pacing();
  const problem = await eachRecord(body, recordBytes, async ({ bytes, start, end }, index) => {
    await pace();
    const refuse = (code: string, detail: string): void => void rejected.push({ index, code, detail });
    if (end - start > recordBytes)
      return refuse(
        'too_large',
        `more than ${recordBytes} bytes (limits.record_bytes); send less of it, or raise the limit`,
      );
    const text = decodeUtf8(bytes, start, end);
    if (text === undefined) return refuse('not_utf8', 'is no UTF-8; write it as UTF-8 text');
    const feedback = reader.read(text, nowMs);
    if ('problem' in feedback) return refuse('schema', feedback.problem);
    records.push({ key: keyBytes(feedback.id), value: Buffer.from(withIdentity(text, feedback)) });
  });
  return problem ?? { records, rejected };
}
