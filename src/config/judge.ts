import * as z from 'zod';
import { key, number, text, timer, whole } from './fields.ts';

const chanceForm = 'is no chance; give a number from 0 to 1';
const chance = () => z.number({ error: chanceForm }).min(0, { error: chanceForm }).max(1, { error: chanceForm });
const amount = () => number().min(0, { error: 'is below 0' });

const chances = z.strictObject({
  right: key(chance().default(0.01), 0.05, 'Chance of those that the rules call right.'),
  wrong: key(chance().default(0.2), 0.5, 'Chance of all others with truth.'),
  without_truth: key(
    chance().default(0.01),
    0.1,
    'Chance of those without truth, which are judged by their request alone.',
  ),
});

/** The keys of every endpoint. */
const endpoint = {
  endpoint: key(
    z.url({ protocol: /^https?$/, error: 'is no address; write https://host/path' }),
    'https://api.openai.com/v1/chat/completions',
    "Address to ask, in OpenAI's form.",
  ),
  model: key(text(), 'gpt-4.1-mini', 'The model that is asked; `by` of its judgements.'),
  api_key_file: key(text().optional(), '/var/run/secrets/judge-key', 'File with the key, read for each request.'),
  price: z
    .strictObject({
      input: key(amount().default(0), 0.4, 'US dollars for a million tokens asked.'),
      output: key(amount().default(0), 1.6, 'US dollars for a million tokens answered.'),
    })
    .prefault({})
    .describe('Prices of tokens, from which costs are counted.'),
  budget_usd_per_day: key(
    amount().optional(),
    5,
    'US dollars a day (UTC) that are never passed: beyond, predictions wait for the next day.',
  ),
  concurrency: key(whole(1, 256).default(4), 16, 'Questions asked at a time.'),
  timeout: key(timer().prefault('30s'), '2m', 'Time for an answer.'),
};

/** `judge`: what `assay judge` asks, whom, and how much it may cost. */
export const judge = z.strictObject({
  sample: key(
    z
      .union([chance(), chances], {
        error: 'is neither a chance nor several; write 0.05, or {right: 0.01, wrong: 0.2}',
      })
      .default({ right: 0.01, wrong: 0.2, without_truth: 0.01 }),
    0.05,
    'Chance of a prediction to be judged: one, or one each for those that the rules call right, those without truth, and all others.',
  ),
  semantic: z.strictObject(endpoint).optional().describe('Similarity: an endpoint for embeddings. Default: none.'),
  judge: z
    .strictObject({
      ...endpoint,
      rubric: key(text().optional(), 'rubric.md', 'File with the rubric: what each score from 1 to 7 means.'),
    })
    .optional()
    .describe('A model as judge: an endpoint for chats. Default: none.'),
});
