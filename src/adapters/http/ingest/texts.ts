import { decodeUtf8 } from '../../../formats/bytes/utf8.ts';
import type { IntakeRecord } from '../../../ports.ts';
import { eachRecord } from './json-records.ts';
import { pacing, type Problem, type Refusal, type Taken } from './taken.ts';

/** The record to be appended of a text and its bytes; or why it is refused. */
export type ReadText = (text: string, bytes: Uint8Array) => IntakeRecord | Omit<Refusal, 'index'>;

/** Reads the records of a body each as text: one that is too large, or no UTF-8, is refused. */
export async function takeTexts(body: Buffer, recordBytes: number, read: ReadText): Promise<Taken | Problem> {
  const records: IntakeRecord[] = [];
  const rejected: Refusal[] = [];
  const pace = pacing();
  const tooLarge = `more than ${recordBytes} bytes (limits.record_bytes); send less of it, or raise the limit`;
  const problem = await eachRecord(body, recordBytes, async ({ bytes, start, end }, index) => {
    await pace();
    const refuse = (code: string, detail: string): void => void rejected.push({ index, code, detail });
    if (end - start > recordBytes) return refuse('too_large', tooLarge);
    const text = decodeUtf8(bytes, start, end);
    if (text === undefined) return refuse('not_utf8', 'is no UTF-8; write it as UTF-8 text');
    const record = read(text, bytes.subarray(start, end));
    if ('code' in record) return refuse(record.code, record.detail);
    records.push(record);
  });
  return problem ?? { records, rejected };
}
