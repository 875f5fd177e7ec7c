import assert from 'node:assert/strict';
import { type TruthTopic, truthTopic } from '../../src/pipeline/truth-topic.ts';
import type { Log, Source } from '../../src/ports.ts';
import { configWith } from './folding.ts';

const { limits, truth } = configWith();

/** The truth of a topic, as it is read; a record that is no truth fails the test. */
export function readingOf(topic: string, source: Source, log: Log): TruthTopic {
  // No value is framed.
  const opening = { options: { frames: undefined }, retrying: undefined as never, outage: undefined as never };
  return truthTopic({ topics: [topic], source, limits, fields: truth.fields, opening, log, onReject: assert.fail });
}
