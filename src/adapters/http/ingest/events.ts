import { jsonText } from '../../../formats/json/json-text.ts';
import { type Event, isRejected, type LogRecord, type ReadRecord } from '../../../stream/event.ts';
import { eachRecord } from './json-records.ts';
import { takeSpans } from './spans.ts';
import { eventRecord, runRecord, pacing, type Problem, type Reading, type Refusal, type Taken } from './taken.ts';

/**
 * Reads the records of a body of events. A record is appended as it came, unless nothing in it can be read; its key is that of its run, else its example.
 * `asNative`: events are appended in the native form instead, as the log is read in another form than the body.
 */
export async function takeEvents(body: Buffer, reading: Reading, asNative: boolean): Promise<Taken | Problem> {
  const taking: Taking = { reading, asNative, records: [], rejected: [] };
  const pace = pacing();
  const problem = await eachRecord(body, reading.recordBytes, async (record, index) => {
    await pace();
    const own = { ...record, timestamp: reading.nowMs };
    const read = reading.reader.read(own);
    const runs = new Set(read.steps?.map(({ run }) => run));
    if (runs.size > 1) await takeRuns(taking, own, index);
    else takeRecord(taking, own, index, read);
  });
  return problem ?? taking;
}

interface Taking {
  readonly reading: Reading;
  readonly asNative: boolean;
  readonly records: Taken['records'][number][];
  readonly rejected: Refusal[];
}

function takeRecord({ asNative, records, rejected }: Taking, record: LogRecord, index: number, read: ReadRecord): void {
  const { events, steps } = read;
  for (const event of events) if (isRejected(event)) rejected.push({ index, code: event.code, detail: event.detail });
  const accepted = events.filter((event): event is Event => !isRejected(event));
  if (accepted.length === 0 && events.length > 0 && steps === undefined) return;
  if (asNative && steps !== undefined) {
    rejected.push({ index, code: 'schema', detail: stepsHaveOneForm });
  } else if (asNative) {
    for (const event of accepted) records.push(eventRecord(event, Buffer.from(jsonText(event.given))));
  } else {
    const value = record.bytes.subarray(record.start, record.end);
    const [step, event] = [steps?.[0], accepted[0]];
    if (step !== undefined) records.push(runRecord(step.run, value));
    else records.push(event === undefined ? { key: undefined, value } : eventRecord(event, value));
  }
}

const stepsHaveOneForm =
  'is a step of a run, and those are read in the form of input.format alone; leave the parameter format out';

/** A record with steps of several runs: spans, which are cut by their runs. */
async function takeRuns({ reading, records, rejected }: Taking, record: LogRecord, index: number): Promise<void> {
  const bytes = record.bytes.subarray(record.start, record.end);
  for (const signal of ['traces', 'logs'] as const) {
    const taken = await takeSpans({ bytes, encoding: 'json', signal }, reading);
    if ('problem' in taken || (taken.records.length === 0 && taken.rejected.length === 0)) continue;
    for (const each of taken.records) records.push(each);
    if (taken.first !== undefined) rejected.push({ index, ...taken.first });
    return;
  }
  rejected.push({ index, code: 'schema', detail: 'holds steps of several runs; send each as a record of its own' });
}
