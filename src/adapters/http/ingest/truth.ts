import { decodeUtf8 } from '../../../formats/bytes/utf8.ts';
import type { TruthReader } from '../../../formats/truth/record.ts';
import type { IntakeRecord } from '../../../ports.ts';
import { eachRecord } from './json-records.ts';
import { keyBytes, pacing, type Problem, type Refusal, type Taken } from './taken.ts';

/** Reads the truth records of a body (docs/reference/truth.md, "Truth record"). The key of each is its example id. */
export async function takeTruth(body: Buffer, reader: TruthReader, recordBytes: number): Promise<Taken | Problem> {
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
    const record = reader.read(text);
    if ('problem' in record) return refuse(record.isEmpty ? 'no_expectation' : 'schema', record.problem);
    records.push({ key: keyBytes(record.example_id), value: bytes.subarray(start, end) });
  });
  return problem ?? { records, rejected };
}
