import { isObject, type Json } from '../../scoring/json.ts';
import { scoreIn } from './answer-text.ts';
import { asked, usageIn } from './asked.ts';
import {
  type Answer,
  type EndpointOptions,
  type Judge,
  type Material,
  noUsage,
  type Reply,
  type Usage,
} from './judge.ts';
import { instructionsOf, instructionsWithoutTruth, quoted } from './prompt.ts';

const scale = [1, 7] as const;
const answerTokens = 1_024;
const asksMost = 2;

const schema = {
  type: 'object',
  properties: { reason: { type: 'string' }, score: { type: 'integer', minimum: scale[0], maximum: scale[1] } },
  required: ['reason', 'score'],
  additionalProperties: false,
};

/** The forms of an answer that an endpoint may take, the strictest first; the second is that of servers before there was the first. */
const responseForms: readonly (Json | undefined)[] = [
  { type: 'json_schema', json_schema: { name: 'judgement', strict: true, schema } },
  { type: 'json_object', schema },
  { type: 'json_object' },
  undefined,
];

/** The form of requests that an endpoint accepted last. */
interface Manner {
  form: number;
  tokens: 'max_tokens' | 'max_completion_tokens';
  /** Some models take none but their own. */
  temperature: boolean;
  /** It has answered a question that was asked so. */
  proven: boolean;
}

/** A model as judge, by an endpoint for chats in OpenAI's form. */
export function chatJudge(options: EndpointOptions, rubric: string): Judge {
  const { budget, concurrency, model } = options;
  const instructions = instructionsOf(rubric);
  const manner: Manner = { form: 0, tokens: 'max_tokens', temperature: true, proven: false };
  return {
    judgement: 'judge',
    by: model,
    instructions,
    withoutTruth: instructionsWithoutTruth,
    scale,
    concurrency,
    usd: budget.usd,
    async ask(material, signal) {
      let usage = noUsage;
      const told = material.expected === undefined ? instructionsWithoutTruth : instructions;
      for (let ask = 1; ; ask++) {
        const reply = await question({ options, manner, instructions: told, material, again: ask > 1 }, signal);
        if (reply === undefined) return undefined;
        usage = plus(usage, usageOf(reply));
        const answer = answerOf(reply);
        if (answer !== undefined) return { ...answer, usage };
        if (ask === asksMost) return { score: undefined, failed: 'unparseable', reason: undefined, usage };
      }
    },
  };
}

interface Question {
  readonly options: EndpointOptions;
  readonly manner: Manner;
  readonly instructions: string;
  readonly material: Material;
  /** The first answer did not parse: it may have been too long. */
  readonly again: boolean;
}

/** Asks in the manner that the endpoint takes, which it may have to find out. */
async function question(
  { options, manner, instructions, material, again }: Question,
  signal: AbortSignal,
): Promise<Reply | undefined> {
  const tokens = again ? 4 * answerTokens : answerTokens;
  const tried: Manner = { ...manner };
  for (;;) {
    const form = responseForms[tried.form];
    const body = {
      model: options.model,
      messages: [
        { role: 'system', content: instructions },
        { role: 'user', content: quoted(material) },
      ],
      [tried.tokens]: tokens,
      ...(tried.temperature && { temperature: 0 }),
      ...(form !== undefined && { response_format: form }),
    };
    const doubtful = form === undefined || manner.proven ? undefined : 'response_format';
    const reply = await asked(options, { body, outputTokens: tokens, doubtful }, signal);
    if (reply?.kind === 'answer') Object.assign(manner, tried, { proven: true });
    if (reply?.kind !== 'refused') return reply;
    if (!otherManner(tried, reply.text)) return reply;
  }
}

/** Changes what a refusal complains of; false: there is nothing left to change. */
function otherManner(manner: Manner, complaint: string): boolean {
  if (manner.tokens === 'max_tokens' && complaint.includes('max_completion_tokens'))
    manner.tokens = 'max_completion_tokens';
  else if (manner.temperature && complaint.includes('temperature')) manner.temperature = false;
  else return ++manner.form < responseForms.length;
  return true;
}

/** The content of a reply; undefined where it has no score and should be requested once more. */
function answerOf(reply: Reply): Omit<Answer, 'usage'> | undefined {
  const failed = (reason: Answer['failed']) => ({ score: undefined, failed: reason, reason: undefined });
  if (reply.kind === 'timeout') return failed('timeout');
  if (reply.kind === 'later') return failed('error');
  if (reply.kind === 'refused') return failed('refused');
  const choice = choiceOf(reply.body);
  const message = isObject(choice?.['message']) ? choice['message'] : {};
  if (choice?.['finish_reason'] === 'content_filter' || typeof message['refusal'] === 'string')
    return failed('refused');
  const said = scoreIn(textOf(message['content']), scale);
  return said && { ...said, failed: undefined };
}

function choiceOf(body: unknown): { readonly [key: string]: unknown } | undefined {
  const choices = isObject(body) ? body['choices'] : undefined;
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return isObject(first) ? first : undefined;
}

/** Text, or parts of which some have a text. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
}

function usageOf(reply: Reply): Usage {
  return (reply.kind === 'answer' ? usageIn(reply.body) : undefined) ?? noUsage;
}

function plus(a: Usage, b: Usage): Usage {
  return { inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens };
}
