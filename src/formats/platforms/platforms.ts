import { isObject, type JsonObject } from '../../scoring/json.ts';
import { type Paging, pagingOf } from '../inputs/pages.ts';
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
  openFile(file: string): (text: string | undefined) => readonly Reading[];
  /** The notice where pages say that there is a next one, and no page so far is the last. */
  missingPages(): string | undefined;
  /** The first field whose places held nothing in any record so far. */
  missing(): string | undefined;
}

/** A reader of the exports of a platform. What lies at the places of fields comes before what the platform says. */
export function platformReader(name: PlatformName, fields: TruthPlaces): PlatformReader {
  const { parts, read } = platforms[name];
  const placed = fieldReader(fields);
  const hasPlaces = Object.keys(fields).length > 0;
  const pages: Pages = { all: 0, withNext: 0, first: '' };
  return {
    missing: placed.missing,
    missingPages: () => missingPages(pages),
    openFile(file) {
      let number = 0;
      return (text) => {
        const record = parsedOr(text);
        if (!isObject(record)) return [{ lack: 'other' }];
        const held = parts(record);
        countPage(pages, held[0] !== record, pagingOf(record), file);
        return held.map((part) => {
          const reading = read(part, ++number);
          return hasPlaces ? withPlaced(reading, placed.read(part), fields) : reading;
        });
      };
    },
  };
}

/** Pages that were read, and those that name a next one. */
interface Pages {
  all: number;
  withNext: number;
  /** File and key of the first of these. */
  first: string;
}

/** Counts a record if it is a page: it holds a list of others, or says something of a next one. */
function countPage(pages: Pages, holdsOthers: boolean, paging: Paging | undefined, file: string): void {
  if (!holdsOthers && paging === undefined) return;
  pages.all++;
  if (paging?.hasNext !== true) return;
  if (pages.withNext++ === 0) pages.first = `${paging.key} of ${file}`;
}

function missingPages({ all, withNext, first }: Pages): string | undefined {
  if (withNext === 0 || withNext < all) return undefined;
  const said = all === 1 ? 'the page says' : `all ${all} pages say`;
  return `${said} that there is a next one (${first}), so records are missing; fetch all pages, and give all their files`;
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
