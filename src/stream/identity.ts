import type { Json } from '../scoring/json.ts';
import { hashOf } from '../scoring/similarity.ts';
import { hash128OfText } from '../state/containers/hash128.ts';
import type { Event } from './event.ts';

/**
 * Writes the identity of an event with an id to three words, and a hash of its content to a fourth. Servers repeat the ids of their answers, so
 * an id is one only within its example. Checkpoints hold both.
 */
export function writeIdentity(event: Event, eventId: string, words: Uint32Array): void {
  const { exampleId } = event;
  hash128OfText(`${exampleId.length} ${exampleId}${eventId}`, words, 0);
  words[3] = hashOf(contentOf(event));
}

const textHash = new Uint32Array(4);

/** A long text is hashed faster by its bytes. */
function hashOfText(text: string): number {
  hash128OfText(text, textHash, 0);
  return textHash[0]!;
}

/** Decision and result of an event, without its time: a copy that was sent again has the same. */
function contentOf({ given, run, judgement }: Event): Json {
  if (judgement !== undefined) return [judgement.name, judgement.by, judgement.score ?? null, judgement.failed ?? null];
  const { label = null, tool_calls = null, output = null, error = null, success = null } = given;
  return [label, tool_calls, typeof output === 'string' ? hashOfText(output) : output, error, success, run ?? null];
}
