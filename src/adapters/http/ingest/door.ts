import { isId, idCharactersMax } from '../../../formats/bytes/unicode.ts';
import type { TruthReader } from '../../../formats/truth/record.ts';
import type { Intake, IntakeKind, IntakeRefusal } from '../../../ports.ts';
import type { IngestCounts } from '../../../telemetry.ts';
import type { WriteRequest, WriteRoute } from '../answering.ts';
import type { FeedbackReader } from '../../../formats/feedback/record.ts';
import { jsonReply, problemOf, type Reply, textReply } from '../reply.ts';
import { countedRoute, countTaken } from './counts.ts';
import { takeEvents } from './events.ts';
import { takeFeedback } from './feedback.ts';
import { otlpRoute } from './otlp.ts';
import { appended, type Problem, type Reading, type Refusal, type Taken, withRetryAfter } from './taken.ts';
import { takeTruth } from './truth.ts';

/** Parts that the door for records is made of. */
export interface DoorOptions {
  readonly intake: Intake;
  /** How events are read that are sent in a form (`?format=`), or in that of the log where it is undefined; or why they are not. */
  readonly readingOf: (format: string | undefined) => EventReading | string;
  /** How spans and log records are read; or why they are not. */
  readonly spans: () => Reading | string;
  /** A reader of truth records; or why they are not taken. */
  readonly truth: () => TruthReader | string;
  /** A reader of feedback records; or why they are not taken. */
  readonly feedback: () => FeedbackReader | string;
  readonly recordBytes: number;
  readonly counts: IngestCounts;
}

export interface EventReading extends Reading {
  /** Events are appended in the native form: the log is read in another form than the one they come in. */
  readonly asNative: boolean;
}

/** The paths that take records (docs/reference/http.md, "Sending"): each answers once they are durable. */
export function doorRoutes(options: DoorOptions): readonly WriteRoute[] {
  const { intake, readingOf, spans, truth, feedback, recordBytes, counts } = options;
  const routes = [
    jsonRoute('/v1/events', options, 'events', ({ query }) => {
      const reading = readingOf(query.get('format') ?? undefined);
      if (typeof reading === 'string') return { status: 400, problem: reading };
      return (body) => takeEvents(body, reading, reading.asNative);
    }),
    jsonRoute('/v1/truth', options, 'truth', () => {
      const reader = truth();
      if (typeof reader === 'string') return { status: 404, problem: reader };
      return (body) => takeTruth(body, reader, recordBytes);
    }),
    jsonRoute('/v1/feedback', options, 'feedback', () => {
      const reader = feedback();
      if (typeof reader === 'string') return { status: 404, problem: reader };
      return (body) => takeFeedback(body, reader, { recordBytes, nowMs: Date.now() });
    }),
    deleteRoute(options),
    ...(['traces', 'logs'] as const).map((signal) => otlpRoute(signal, intake, spans, counts)),
  ];
  return routes.map((route) => countedRoute(route, counts));
}

/** The same paths where nothing is taken, with the reason. */
export function shutRoutes(reason: string): readonly WriteRoute[] {
  const handler = (): Reply => textReply(404, reason);
  const paths = ['/v1/events', '/v1/truth', '/v1/feedback', '/v1/traces', '/v1/logs'] as const;
  return [
    ...paths.map((path) => ({ path, method: 'POST', handler }) as const),
    { path: '/v1/truth/', method: 'DELETE', handler },
  ];
}

/** Takes the records of a body; or why none are taken, whatever the body. */
type Take = ((body: Buffer) => Promise<Taken | Problem>) | { readonly status: 400 | 404; readonly problem: string };

function jsonRoute(
  path: string,
  options: DoorOptions,
  kind: IntakeKind,
  takeOf: (request: WriteRequest) => Take,
): WriteRoute {
  return {
    path,
    method: 'POST',
    handler: async (request) => {
      const refusal = options.intake.refusal();
      if (refusal !== undefined) return refusalReply(refusal);
      const query = queryProblem(request, kind === 'events' ? ['format'] : []);
      if (query !== undefined) return textReply(400, query);
      const type = typeProblem(request);
      if (type !== undefined) return textReply(415, type);
      const take = takeOf(request);
      if (typeof take !== 'function') return textReply(take.status, take.problem);
      const body = await request.body();
      if ('problem' in body) return withRetryAfter(textReply(body.status, body.problem));
      const taken = await take(body.bytes);
      if ('problem' in taken) return textReply(taken.status, taken.problem);
      return append(options, path, kind, taken);
    },
  };
}

function deleteRoute(options: DoorOptions): WriteRoute {
  return {
    path: '/v1/truth/',
    method: 'DELETE',
    handler: async ({ rest }) => {
      const refusal = options.intake.refusal();
      if (refusal !== undefined) return refusalReply(refusal);
      const reader = options.truth();
      if (typeof reader === 'string') return textReply(404, reader);
      if (!isId(rest, idCharactersMax) || rest.startsWith('\0'))
        return textReply(400, `the example id has ${rest.length} characters; 1 to ${idCharactersMax} are allowed`);
      const taken = { records: [{ key: Buffer.from(rest), value: null }], rejected: [] };
      return append(options, '/v1/truth', 'truth', taken);
    },
  };
}

/** Refusals that an answer lists. */
const listedMax = 1_000;

/** Appends records, and answers once they are durable. Where none is taken, status and problem say so too. */
async function append(options: DoorOptions, path: string, kind: IntakeKind, taken: Taken): Promise<Reply> {
  const { intake, counts } = options;
  const { records, rejected } = taken;
  const refusal = await appended(intake, kind, records);
  if (refusal !== undefined) return refusalReply(refusal);
  const codes = rejected.map(({ code }) => code);
  countTaken(counts, path, records.length, codes);
  const [first] = rejected;
  const isNone = records.length === 0 && first !== undefined;
  const answer = {
    ...(isNone && noneTaken(first)),
    accepted: records.length,
    rejected: rejected.slice(0, listedMax),
    ...(rejected.length > listedMax && { more_rejected: rejected.length - listedMax }),
  };
  const isTooLarge = rejected.every(({ code }) => code === 'too_large');
  return jsonReply(isNone ? (isTooLarge ? 413 : 400) : 200, JSON.stringify(answer));
}

function noneTaken({ code, detail }: Refusal): ReturnType<typeof problemOf> {
  const { error, remedy } = problemOf(`no record was taken: ${code}: ${detail}`);
  return { error, remedy: remedy === '' ? 'correct the records that are listed, and send them again' : remedy };
}

function refusalReply({ status, reason, retryAfter }: IntakeRefusal): Reply {
  return withRetryAfter(textReply(status, reason), retryAfter);
}

const jsonTypes: ReadonlySet<string | undefined> = new Set([
  'application/json',
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/json-lines',
  'application/x-jsonlines',
  'application/cloudevents+json',
  'application/cloudevents-batch+json',
]);

/** Types that a form of any page can send without being asked: from a browser they are refused. */
const formTypes: ReadonlySet<string | undefined> = new Set([
  undefined,
  'text/plain',
  'application/x-www-form-urlencoded',
]);

function typeProblem({ contentType, isOfBrowser }: WriteRequest): string | undefined {
  if (jsonTypes.has(contentType)) return undefined;
  // curl sends the type of a form by default.
  if (formTypes.has(contentType) && !isOfBrowser) return undefined;
  return `content-type: ${contentType ?? '(none)'} is not read here; send application/json or application/x-ndjson`;
}

function queryProblem({ query }: WriteRequest, known: readonly string[]): string | undefined {
  for (const name of new Set(query.keys())) {
    if (!known.includes(name))
      return `unknown parameter ${JSON.stringify(name.slice(0, 100))}; known: ${known.join(', ') || 'none'}`;
    if (query.getAll(name).length > 1) return `${name} is given more than once; give it once`;
  }
  return undefined;
}
