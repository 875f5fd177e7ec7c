import { readerOf } from '../../src/config/settings.ts';
import { namedCall } from '../../src/formats/calls/calls.ts';
import type { JsonObject } from '../../src/scoring/json.ts';
import type { InputCounts } from '../../src/state/input.ts';
import { withoutTruth } from '../../src/stream/truth-overlay.ts';
import { configWith, foldingOf } from './folding.ts';

/** What a file of records gives under some settings. */
interface ReadRuns {
  /** The events, runs among them, in the order of their ends. */
  readonly events: readonly JsonObject[];
  readonly rejects: readonly { readonly code: string; readonly detail: string; readonly text: string | undefined }[];
  readonly input: InputCounts;
}

/** Reads records as the lines of one file, to its end. */
export function runsRead(records: readonly unknown[], settings: Readonly<Record<string, unknown>>): ReadRuns {
  const config = configWith({ 'input.format': 'auto', ...settings });
  const { fold, state, add, end } = foldingOf(config, withoutTruth, { reader: readerOf(config, false) });
  const events: JsonObject[] = [];
  fold.out.onEvent = ({ given }) => void events.push(given);
  add(records);
  end();
  return { events, rejects: fold.out.rejects, input: state.input };
}

/** The calls, words and state of a run in short: `f g "Done." unfinished`. */
export function shortOf({ tool_calls: calls = [], output, error, unfinished }: JsonObject): string {
  const names = (calls as readonly JsonObject[]).map((call) => String(namedCall(call).name));
  const words = output === undefined ? [] : [JSON.stringify(output)];
  const failure = error === undefined ? [] : [`failed: ${String(error)}`];
  return [...names, ...words, ...failure, ...(unfinished === true ? ['unfinished'] : [])].join(' ');
}
