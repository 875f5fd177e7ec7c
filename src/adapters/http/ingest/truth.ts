import type { TruthReader } from '../../../formats/truth/record.ts';
import { keyBytes, type Problem, type Taken } from './taken.ts';
import { takeTexts } from './texts.ts';

/** Reads the truth records of a body (docs/reference/truth.md, "Truth record"). The key of each is its example id. */
export function takeTruth(body: Buffer, reader: TruthReader, recordBytes: number): Promise<Taken | Problem> {
  return takeTexts(body, recordBytes, (text, value) => {
    const record = reader.read(text);
    return 'problem' in record
      ? { code: record.isEmpty ? 'no_expectation' : 'schema', detail: record.problem }
      : { key: keyBytes(record.example_id), value };
  });
}
