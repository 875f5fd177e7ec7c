import { isObject, type Json, jsonEqual } from '../../scoring/json.ts';
import { namedTruth, type ToolNaming } from '../../scoring/tool-names.ts';
import { findingKinds, type FindingKind, type Truth } from '../../scoring/truth.ts';
import { schemaCheck } from '../json-schema/validator.ts';
import { jsonText } from '../json/json-text.ts';
import { jsonIn } from '../json/parsed.ts';
import { findingsOf } from './findings.ts';
import { countRecord, noRecords, type TruthCounts } from './counts.ts';
import type { RecordUnit } from './lines.ts';
import type { TruthReader } from './record.ts';
import { truthOfRecord } from './topic.ts';

/** Kinds of findings in files of truth: also what a table is refused for, and what only other rows show. */
export const recordFindingKinds = [...findingKinds, 'question', 'id', 'invalid'] as const;

/** A contradiction in files of truth records. */
export interface RecordFinding {
  readonly kind: FindingKind | 'question' | 'id' | 'invalid';
  /** Null where the record names none. */
  readonly example_id: string | null;
  readonly file: string;
  /** Number of the record in its file: a line, an element of an array from 1, or a row from 0. */
  readonly line: number;
  readonly detail: string;
  readonly remedy: string;
}

/** A record of truth, where it lies. */
export interface TruthLine {
  readonly file: string;
  readonly line: number;
  readonly unit: RecordUnit;
  /** Undefined is no UTF-8. */
  readonly text: string | undefined;
}

/** Looks at the records of truth one by one. */
export interface TruthChecker {
  /** The findings that a record adds: its own, and those beside earlier records. */
  check(line: TruthLine): readonly RecordFinding[];
  /** Records so far. */
  readonly rows: number;
  /** The content of those that were read. */
  readonly counts: TruthCounts;
}

interface Seen {
  readonly id: string;
  readonly truth: Truth;
  readonly place: string;
}

/** Keys under which people keep the question beside the truth. */
const questionKeys = ['question', 'input', 'inputs', 'prompt', 'query', 'messages', 'request', 'instruction'] as const;

/** A checker of truth records as `reader` reads them; names of tools are compared by `naming`. */
export function truthChecker(reader: TruthReader, naming: ToolNaming | undefined): TruthChecker {
  const check = schemaCheck();
  const [byId, byQuestion] = [new Map<string, Seen>(), new Map<string, Seen>()];
  const checker = {
    rows: 0,
    counts: noRecords(),
    check({ file, line, unit, text }: TruthLine): readonly RecordFinding[] {
      if (text?.trim() === '') return [];
      checker.rows++;
      const record = text === undefined ? { problem: 'is no UTF-8; write it as UTF-8 text' } : reader.read(text);
      const place = { file, line };
      if ('problem' in record) return [{ kind: 'invalid', example_id: null, ...place, ...halves(record.problem) }];
      countRecord(checker.counts, record);
      const id = record.example_id;
      const truth = namedTruth(truthOfRecord(record), naming);
      const seen: Seen = { id, truth, place: unit === 'line' ? `${file}:${line}` : `${file}, ${unit} ${line}` };
      const question = questionIn(text!);
      return [
        ...findingsOf(truth, check),
        ...idFindings(byId, seen),
        ...(question === undefined ? [] : questionFindings(byQuestion, question, seen)),
      ].map(({ kind, detail, remedy }) => ({ kind, example_id: id, ...place, detail, remedy }));
    },
  };
  return checker;
}

type Found = Pick<RecordFinding, 'kind' | 'detail' | 'remedy'>;

function idFindings(byId: Map<string, Seen>, seen: Seen): readonly Found[] {
  const earlier = byId.get(seen.id);
  if (earlier === undefined) {
    byId.set(seen.id, seen);
    return [];
  }
  const says = isSame(earlier.truth, seen.truth) ? 'says the same' : 'says something else';
  return [
    { kind: 'id', detail: `its id is already at ${earlier.place}, which ${says}`, remedy: 'keep one of the two' },
  ];
}

function questionFindings(byQuestion: Map<string, Seen>, question: string, seen: Seen): readonly Found[] {
  const earlier = byQuestion.get(question);
  if (earlier === undefined) byQuestion.set(question, seen);
  // Two rows of one id are reported already.
  if (earlier === undefined || earlier.id === seen.id || isSame(earlier.truth, seen.truth)) return [];
  const detail = `its question is that of ${JSON.stringify(earlier.id)} at ${earlier.place}, and its answer another`;
  return [{ kind: 'question', detail, remedy: 'see which answer is right, or give one as alternatives of the other' }];
}

function isSame({ tools: _, ...one }: Truth, { tools: __, ...other }: Truth): boolean {
  return jsonEqual(one as unknown as Json, other as unknown as Json);
}

function questionIn(text: string): string | undefined {
  const record = jsonIn(text);
  if (!isObject(record)) return undefined;
  const key = questionKeys.find((name) => (record[name] ?? '') !== '');
  return key === undefined ? undefined : jsonText(record[key]!);
}

/** A problem and, behind its last semicolon, its remedy. */
function halves(problem: string): Pick<RecordFinding, 'detail' | 'remedy'> {
  const at = problem.lastIndexOf('; ');
  return at < 0
    ? { detail: problem, remedy: 'correct it' }
    : { detail: problem.slice(0, at), remedy: problem.slice(at + 2) };
}
