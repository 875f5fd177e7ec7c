import type { Joined } from '../../src/scoring/family.ts';
import { join } from '../../src/scoring/join.ts';
import { invalid, toolCall } from '../../src/scoring/label.ts';
import type { Prediction } from '../../src/scoring/prediction.ts';
import type { Truth } from '../../src/scoring/truth.ts';

/** A joined event from the fields that a test cares about; the others are as if the event and the truth row had left them out. */
export function joined(prediction: Partial<Prediction>, truth: Partial<Truth>): Joined {
  return join(predictionOf(prediction), truthOf(truth));
}

/** A prediction whose other fields are absent; its label is derived from its calls. */
export function predictionOf(fields: Partial<Prediction>): Prediction {
  const called = fields.calls !== undefined && fields.calls.length > 0;
  return {
    label: called ? toolCall : invalid,
    labelStatus: called ? 'derived' : 'missing',
    calls: undefined,
    callsNotRecorded: false,
    tools: undefined,
    output: { kind: 'absent' },
    error: undefined,
    success: undefined,
    results: undefined,
    steps: 1,
    finished: true,
    answered: fields.output?.kind === 'text',
    ...fields,
  };
}

export function truthOf(fields: Partial<Truth>): Truth {
  return { label: undefined, tools: undefined, expected: undefined, reference: undefined, ...fields };
}
