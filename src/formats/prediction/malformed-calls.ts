import type { Json } from '../../scoring/json.ts';
import type { MalformedCalls } from '../../stream/event.ts';
import { callOf, namedCall, type RawCall } from '../calls/calls.ts';
import { jsonIn } from '../json/parsed.ts';
import { previewText } from '../json/preview.ts';
import { shortened } from '../json/shortened.ts';

/** The problems of calls of which some are malformed. */
export function malformedCalls(calls: readonly RawCall[]): MalformedCalls {
  const malformed = calls.filter((given) => {
    const call = callOf(given);
    return call.name === undefined || call.arguments === undefined;
  });
  const texts = malformed.map((given) => namedCall(given).arguments).filter((given) => typeof given === 'string');
  const unparsed = texts.filter((text) => jsonIn(text) === undefined);
  const options = { charactersMax: 80, redact: new Set<string>() };
  const [first] = malformed;
  return {
    count: malformed.length,
    text: first === undefined ? '' : previewText(first as Json, options),
    unparsed: unparsed.length,
    unparsedText: shortened(unparsed[0] ?? ''),
  };
}

/** Returns how many calls have arguments as text with NaN or Infinity, as Python writes them. */
export function notStandardArguments(calls: readonly RawCall[]): number {
  let found = 0;
  for (const call of calls) {
    const { arguments: given } = namedCall(call);
    if (typeof given === 'string' && /NaN|Infinity/.test(given)) jsonIn(given, () => found++);
  }
  return found;
}
