import { createHash } from 'node:crypto';
import type { Material } from '../../adapters/judge/judge.ts';
import type { Config } from '../../config/config.ts';
import { jsonText } from '../../formats/json/json-text.ts';
import { requestIn } from '../../formats/messages/request.ts';
import type { Joined } from '../../scoring/family.ts';
import type { Json, JsonObject } from '../../scoring/json.ts';
import { labels } from '../../scoring/label.ts';
import type { Truth } from '../../scoring/truth.ts';
import { toolName } from '../../scoring/tool.ts';
import { tagOf } from '../../stream/event.ts';
import type { Scored } from '../../stream/score.ts';

/** A prediction that was chosen to be judged: what a judgement says of it, and what a judge sees of it. */
export interface Chosen {
  /** Hash of what tells the prediction from all others. */
  readonly identity: string;
  readonly fields: {
    readonly example_id: string;
    readonly ts: string;
    readonly model: string;
    readonly agent: string;
    readonly tags?: JsonObject;
  };
  readonly exact: boolean | null;
  /** False: no truth says what was expected. */
  readonly hasTruth: boolean;
  readonly probability: number;
  readonly material: Material;
}

/** SHA-256 of values as JSON, hexadecimal. */
export function hashOf(...values: readonly Json[]): string {
  return createHash('sha256').update(jsonText(values)).digest('hex');
}

/** Chooses scored predictions by a hash of their identity: a replay chooses the same ones. `tags`: names of those that judgements carry. */
export function chooser(
  sample: Config['judge']['sample'],
  tags: readonly string[],
): (scored: Scored) => Chosen | undefined {
  const chances = typeof sample === 'number' ? { right: sample, wrong: sample, without_truth: sample } : sample;
  return (scored) => {
    const { event, ts, exact, moment } = scored;
    const hasTruth = moment !== 'accepted';
    const probability = !hasTruth ? chances.without_truth : exact === true ? chances.right : chances.wrong;
    if (probability === 0) return undefined;
    const { exampleId, eventId, model, agent, run = -1 } = event;
    const fields = { example_id: exampleId, ts: new Date(ts).toISOString(), model, agent };
    const identity = hashOf(...(eventId === undefined ? [exampleId, ts, model, agent, run] : [eventId]));
    if (chanceOf(identity) >= probability) return undefined;
    const tagged = tags.map((name) => [name, tagOf(event, name)] as const).filter(([, value]) => value !== '');
    return {
      identity,
      fields: { ...fields, ...(tagged.length > 0 && { tags: Object.fromEntries(tagged) }) },
      ...{ exact: exact ?? null, hasTruth, probability },
      material: hasTruth ? materialOf(scored.joined) : materialWithoutTruth(scored),
    };
  };
}

/** A number in [0, 1) that a hash stands for. */
function chanceOf(hash: string): number {
  return Number.parseInt(hash.slice(0, 12), 16) / 2 ** 48;
}

/** The request, the tools at hand, the calls with what came back for them, and the answer. */
function materialWithoutTruth({ event, joined: { prediction } }: Scored): Material {
  const { tools = [] } = prediction;
  const { results } = event.given;
  const predicted = predictedOf(prediction);
  return {
    ...{ expected: undefined, request: requestIn(event.given) },
    predicted: {
      ...(tools.length > 0 && { tools: tools.map((tool) => toolName(tool) ?? null) }),
      ...(Object.keys(predicted).length > 0 ? predicted : { label: labelText(prediction.label) }),
      ...(Array.isArray(results) && results.length > 0 && { results: results as Json }),
    },
  };
}

function predictedOf({ calls, output, error }: Joined['prediction']): JsonObject {
  return {
    ...(calls && {
      tool_calls: calls.map(({ name, arguments: given }) => ({ name: name ?? null, arguments: given ?? null })),
    }),
    ...(output.kind !== 'absent' && { output: output.kind === 'text' ? output.text : output.value }),
    ...(error !== undefined && { error }),
  };
}

/** The calls and answers of both sides; a label only where neither has more. */
function materialOf({ prediction, truth }: Joined): Material {
  const { expected, alternatives = [], reference } = truth;
  const predicted = predictedOf(prediction);
  const plain = (list: NonNullable<Truth['expected']>): Json =>
    list.map(({ name, arguments: given }) => ({ name, arguments: given }));
  const wanted = {
    ...(expected && { tool_calls: plain(expected) }),
    ...(alternatives.length > 0 && { alternatives: alternatives.map(plain) }),
    ...(reference !== undefined && { output: reference }),
  };
  const said = Object.keys(predicted).length > 0 && Object.keys(wanted).length > 0;
  return {
    predicted: said ? predicted : { label: labelText(prediction.label), ...predicted },
    expected: said ? wanted : { label: labelText(truth.label), ...wanted },
  };
}

function labelText(label: number | undefined): string | null {
  return (label === undefined ? undefined : (labels as readonly string[])[label]) ?? null;
}
