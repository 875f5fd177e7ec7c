import * as z from 'zod';
import { facetNames } from '../../../src/formats/summary/failure-facts.ts';
import { feedbackSchema } from '../../../src/formats/feedback/record.ts';
import { eventSchema } from '../../../src/formats/prediction/schema.ts';
import { truthRecordSchema } from '../../../src/formats/truth/record.ts';
import { forms } from '../../../src/formats/inputs/forms.ts';
import { declarations } from '../../../src/scoring/families.ts';
import { rejectCodes } from '../../../src/state/reject.ts';
import { summarySchema } from './summary.ts';

/** The OpenAPI 3.1 document of the HTTP API (docs/reference/http.md). */
export function openApiDocument(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Assay',
      version: '1',
      summary: 'Scores of agents’ tool-calling decisions, and the door for the events that are scored.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{}, { login: [] }, { token: [] }],
    tags: [
      { name: 'reading', description: 'Numbers and health.' },
      { name: 'sending', description: 'Events, spans and truth. Answers come once the records are durable.' },
    ],
    paths: { ...readPaths, ...sendPaths },
    components: { securitySchemes, schemas: schemas(), responses },
  };
}

const securitySchemes = {
  login: { type: 'http', scheme: 'basic', description: 'A user of http.web_config.' },
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of ingest.tokens, with the right to read or to write.',
  },
};

const ref = (kind: 'schemas' | 'responses', name: string): object => ({ $ref: `#/components/${kind}/${name}` });
const schemaRef = (name: string): object => ref('schemas', name);

function described(description: string, content: Readonly<Record<string, object>> = {}): object {
  const types = Object.entries(content).map(([type, schema]) => [type, { schema }]);
  return types.length === 0 ? { description } : { description, content: Object.fromEntries(types) };
}

const text = { 'text/plain': { type: 'string' } };
const problem = { 'application/json': schemaRef('Problem') };

const responses = {
  BadRequest: described('Something of the request is wrong; the answer says what, and the remedy.', problem),
  Unauthorized: described('A login or a token is missing or wrong; text on pages.', { ...text, ...problem }),
  Forbidden: described('Nothing is taken at this address, or a page of another site has sent the request.', problem),
  Shut: described('Nothing is taken here; the answer says how to open it.', problem),
  TooLarge: described('The body has more than 16 MiB, or every record in it more than limits.record_bytes.', problem),
  UnknownType: described('The content type or the content encoding is not read.', problem),
  ComeAgain: retried('Too much waits to be scored, or is being read: send it again after Retry-After.'),
  Unavailable: retried('The service is stopping, or its log takes nothing now: send it again after Retry-After.'),
};

function retried(description: string): object {
  return {
    ...described(description, problem),
    headers: { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } },
  };
}

/** Answers to what is sent, other than 200. */
const refusals = {
  400: ref('responses', 'BadRequest'),
  401: ref('responses', 'Unauthorized'),
  403: ref('responses', 'Forbidden'),
  404: ref('responses', 'Shut'),
  413: ref('responses', 'TooLarge'),
  415: ref('responses', 'UnknownType'),
  429: ref('responses', 'ComeAgain'),
  503: ref('responses', 'Unavailable'),
};

function reading(
  operationId: string,
  summary: string,
  ok: object,
  more: object = {},
  parameters: object[] = [],
): object {
  const answers = { 200: ok, 401: ref('responses', 'Unauthorized'), ...more };
  return {
    get: { tags: ['reading'], operationId, summary, ...(parameters.length > 0 && { parameters }), responses: answers },
  };
}

function query(name: string, description: string, schema: object = { type: 'string' }): object {
  return { name, in: 'query', description, schema };
}

const health = { 503: described('A check does not hold; each is a line.', text) };
const verbose = [query('verbose', 'A line for each check.')];
const wrongQuery = { 400: ref('responses', 'BadRequest'), 429: ref('responses', 'ComeAgain') };
const anyDocument = described('The document.', { 'application/json': { type: 'object' } });

const readPaths = {
  '/': reading('page', 'The live page.', described('The page.', { 'text/html': { type: 'string' } }), {}),
  '/metrics': reading(
    'metrics',
    'Metrics for Prometheus.',
    described('Metrics.', { 'text/plain': { type: 'string' }, 'application/openmetrics-text': { type: 'string' } }),
    { 429: ref('responses', 'ComeAgain') },
  ),
  '/livez': reading('livez', 'Whether the process is responsive.', described('It is.', text), health, verbose),
  '/readyz': reading('readyz', 'Whether the service is ready.', described('It is.', text), health, verbose),
  '/api/v1/summary': reading(
    'summary',
    'The summary of one set of dimensions in one window.',
    described('The summary.', { 'application/json': schemaRef('Summary') }),
    wrongQuery,
    [
      query('slice', 'A configured set, its dimensions joined by comma; empty for the total.'),
      query('window', 'A configured window, or all.'),
    ],
  ),
  '/api/v1/watches': reading(
    'watches',
    'How every watch stands, and the incidents of the last 24 hours.',
    described('The watches.', { 'application/json': schemaRef('Watches') }),
    wrongQuery,
  ),
  '/api/v1/live': reading(
    'live',
    'The document of the live page. It is made for the page and changes with it.',
    anyDocument,
    wrongQuery,
    ['slice', 'window', 'focus', 'failed', ...facetNames, 'text', 'since'].map((name) =>
      query(name, 'As the page asks.'),
    ),
  ),
  '/api/v1/review': reading('review', 'The events that are most worth a look.', anyDocument, wrongQuery),
  '/api/openapi.json': reading('openapi', 'This document.', anyDocument),
};

interface Sending {
  readonly operationId: string;
  readonly summary: string;
  readonly content?: Readonly<Record<string, object>>;
  readonly answer: Readonly<Record<string, object>>;
  readonly parameters?: readonly object[];
  readonly unused?: readonly (keyof typeof refusals)[];
}

function sending({ operationId, summary, content, answer, parameters, unused = [] }: Sending): object {
  const others = Object.entries(refusals).filter(
    ([status]) => !unused.includes(Number(status) as keyof typeof refusals),
  );
  const bodies = Object.entries(content ?? {}).map(([type, schema]) => [type, { schema }]);
  return {
    ...{ tags: ['sending'], operationId, summary },
    ...(parameters && { parameters }),
    ...(content && { requestBody: { required: true, content: Object.fromEntries(bodies) } }),
    responses: { 200: described('The records are durable.', answer), ...Object.fromEntries(others) },
  };
}

const taken = { 'application/json': schemaRef('Taken') };
const oneOrMany = (name: string): object => ({ anyOf: [schemaRef(name), { type: 'array', items: schemaRef(name) }] });
const records = (name: string): Record<string, object> => ({
  'application/x-ndjson': { type: 'string', description: `One ${name} a line.` },
  'application/json': oneOrMany(name),
});
const otlp = (message: string): Record<string, object> => ({
  'application/x-protobuf': { type: 'string', format: 'binary', description: message },
  'application/json': { type: 'object', description: message },
});

function signal(operationId: 'traces' | 'logs', name: 'Trace' | 'Logs'): object {
  return {
    post: sending({
      operationId,
      summary: `OTLP/HTTP, gzip or zstd: ${operationId}, as an exporter of OpenTelemetry sends them.`,
      content: otlp(`Export${name}ServiceRequest`),
      answer: otlp(`Export${name}ServiceResponse, with partial_success where items were refused.`),
    }),
  };
}

const sendPaths = {
  '/v1/events': {
    post: sending({
      operationId: 'events',
      summary: 'Events, one or many, in any form that the service reads.',
      content: records('Event'),
      answer: taken,
      parameters: [
        query('format', 'The form of the records, as input.format. Default: that of the log.', {
          type: 'string',
          enum: ['auto', 'otlp', ...Object.keys(forms)],
        }),
      ],
    }),
  },
  '/v1/truth': {
    post: sending({
      operationId: 'truth',
      summary: 'Truth records, one or many.',
      content: records('TruthRecord'),
      answer: taken,
    }),
  },
  '/v1/truth/{example_id}': {
    delete: sending({
      operationId: 'deleteTruth',
      summary: 'Deletes the truth of an example that was sent before.',
      answer: taken,
      parameters: [
        {
          name: 'example_id',
          in: 'path',
          required: true,
          description: 'Percent-encoded.',
          schema: { type: 'string', maxLength: 512 },
        },
      ],
      unused: [415],
    }),
  },
  '/v1/feedback': {
    post: sending({
      operationId: 'feedback',
      summary: 'Feedback records, one or many: what a person or a system says later of one event or run.',
      content: records('Feedback'),
      answer: taken,
    }),
  },
  '/v1/traces': signal('traces', 'Trace'),
  '/v1/logs': signal('logs', 'Logs'),
};

function schemas(): Readonly<Record<string, object>> {
  return {
    ...components('Event', eventSchema),
    ...components('TruthRecord', truthRecordSchema),
    ...components('Feedback', feedbackSchema),
    ...components('Summary', summarySchema(declarations)),
    Watches: {
      type: 'object',
      required: ['format', 'as_of', 'watches', 'incidents'],
      properties: {
        format: { const: 'assay.watches/2' },
        as_of: { type: ['string', 'null'] },
        watches: { type: 'array', items: { type: 'object' } },
        incidents: { type: 'array', items: { type: 'object' } },
      },
    },
    Taken: {
      type: 'object',
      required: ['accepted', 'rejected'],
      properties: {
        accepted: { type: 'integer', minimum: 0, description: 'Records that were appended.' },
        rejected: { type: 'array', items: schemaRef('Refusal'), maxItems: 1_000 },
        more_rejected: { type: 'integer', minimum: 1, description: 'Refusals that are not listed.' },
      },
    },
    Refusal: {
      type: 'object',
      required: ['index', 'code', 'detail'],
      properties: {
        index: { type: 'integer', minimum: 0, description: 'Index of the record in the body.' },
        code: { enum: [...rejectCodes, 'no_expectation'] },
        detail: { type: 'string', description: 'Place, value and remedy.' },
      },
    },
    Problem: {
      description:
        'Why nothing was taken; of a body in which every record was refused, with the refusals. OTLP/JSON has code and message beside it.',
      type: 'object',
      required: ['error', 'remedy'],
      properties: {
        error: { type: 'string', description: 'What is wrong.' },
        remedy: { type: 'string', description: 'What to do.' },
        accepted: { const: 0, description: 'Beside refusals.' },
        rejected: { type: 'array', items: schemaRef('Refusal'), maxItems: 1_000 },
        more_rejected: { type: 'integer', minimum: 1, description: 'Refusals that are not listed.' },
      },
    },
  };
}

/** A schema as components of the document: itself, and each of its definitions under its name and a dot. */
function components(name: string, schema: z.ZodType): Readonly<Record<string, object>> {
  const whole = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12', unrepresentable: 'any' });
  const text = JSON.stringify(whole).replaceAll('"#/$defs/', `"#/components/schemas/${name}.`);
  const { $schema: _, $defs = {}, ...own } = JSON.parse(text) as { $schema: string; $defs?: Record<string, object> };
  const parts = Object.entries($defs).map(([part, { id: __, ...definition }]: [string, { id?: string }]) => [
    `${name}.${part}`,
    definition,
  ]);
  return { [name]: own, ...Object.fromEntries(parts) };
}
