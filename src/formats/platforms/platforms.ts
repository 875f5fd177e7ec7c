import { isObject, type JsonObject } from '../../scoring/json.ts';
import { parsedOr } from '../json/parsed.ts';
import { fieldReader, type TruthPlaces } from '../truth/fields.ts';
import { deepeval } from './deepeval.ts';
import type { Expectation } from './expectation.ts';
import { langfuse } from './langfuse.ts';
import { langsmith } from './langsmith.ts';
import { mlflow } from './mlflow.ts';
import { opik } from './opik.ts';
import { phoenix } from './phoenix.ts';
import type { Platform, Reading } from './platform.ts';

/** By their names on the command line. */
export const platforms = { langfuse, langsmith, mlflow, phoenix, opik, deepeval } satisfies Readonly<
  Record<string, Platform>
>;

export type PlatformName = keyof typeof platforms;

/** Columns by which a text is recognized as a table of one of them. */
export const platformColumns: readonly string[] = [
  ...['inputs', 'outputs', 'expectations', 'expectedOutput', 'data_type', 'dataType', 'correction', 'annotator_kind'],
];

/** Reads the records of the files of a platform. */
export interface PlatformReader {
  /** A reader of the records of a file, in their order; undefined is no UTF-8. */
  openFile(): (text: string | undefined) => readonly Reading[];
  /** The first field whose places held nothing in any record so far. */
  missing(): string | undefined;
}

/** A reader of the exports of a platform. What lies at the places of fields comes before what the platform says. */
export function platformReader(name: PlatformName, fields: TruthPlaces): PlatformReader {
  const { parts, read } = platforms[name];
  const placed = fieldReader(fields);
  const hasPlaces = Object.keys(fields).length > 0;
  return {
    missing: placed.missing,
    openFile() {
      let number = 0;
      return (text) => {
        const record = parsedOr(text);
        if (!isObject(record)) return [{ lack: 'other' }];
        return parts(record).map((part) => {
          const reading = read(part, ++number);
          return hasPlaces ? withPlaced(reading, placed.read(part), fields) : reading;
        });
      };
    },
  };
}

/** A reading with the fields at the places that were named. */
function withPlaced(reading: Reading, found: JsonObject, fields: TruthPlaces): Reading {
  const names = new Set(
    Object.keys(fields).map((name) => name.replace(/^expected_tool_calls\..*/, 'expected_tool_calls')),
  );
  const given = [...names].filter((name) => (found[name] ?? null) !== null);
  const parts = Object.fromEntries(given.filter((name) => name !== 'example_id').map((name) => [name, found[name]!]));
  const has = Object.keys(parts).length > 0;
  if ('lack' in reading && !has) return reading;
  const known = 'lack' in reading ? { id: undefined, parts: {}, changedMs: undefined } : reading;
  const id = names.has('example_id') ? found['example_id'] : known.id;
  return { ...known, id, parts: has ? ({ ...toolsOf(known.parts), ...parts } as Expectation) : known.parts };
}

function toolsOf({ tools }: Expectation): Expectation {
  return tools === undefined ? {} : { tools };
}
