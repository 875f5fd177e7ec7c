import { exportAnswer, statusAnswer } from '../../../formats/otlp/answer.ts';
import type { Encoding, Signal } from '../../../formats/otlp/request.ts';
import type { Intake, IntakeRefusal } from '../../../ports.ts';
import type { IngestCounts } from '../../../telemetry.ts';
import type { WriteRoute } from '../answering.ts';
import { problemOf, type Reply, textReply } from '../reply.ts';
import { countTaken } from './counts.ts';
import { takeSpans } from './spans.ts';
import { appended, type Reading, withRetryAfter } from './taken.ts';

/**
 * The receiver of a signal, as an exporter of OTLP/HTTP expects it (opentelemetry.io/docs/specs/otlp, "OTLP/HTTP"): answers in
 * the encoding of the request; 429 and 503 are sent again, other failures are not.
 */
export function otlpRoute(
  signal: Signal,
  intake: Intake,
  readingOf: () => Reading | string,
  counts: IngestCounts,
): WriteRoute {
  const path = `/v1/${signal}`;
  return {
    path,
    method: 'POST',
    handler: async ({ contentType = '', body: readBody }) => {
      const encoding = encodings.get(contentType);
      if (encoding === undefined)
        return textReply(
          415,
          `content-type: ${contentType || '(none)'} is not read here; send application/x-protobuf or application/json`,
        );
      const refuse = (status: number, message: string): Reply => failure(encoding, status, message);
      const refusal = intake.refusal();
      if (refusal !== undefined) return refused(encoding, refusal);
      const reading = readingOf();
      if (typeof reading === 'string') return refuse(404, reading);
      const body = await readBody();
      if ('problem' in body) return refuse(body.status, body.problem);
      const taken = await takeSpans({ bytes: body.bytes, encoding, signal }, reading);
      if ('problem' in taken) return refuse(taken.status, taken.problem);
      const late = await appended(intake, 'events', taken.records);
      if (late !== undefined) return refused(encoding, late);
      const { accepted, rejected, first } = taken;
      countTaken(counts, path, accepted, rejected);
      const message =
        first === undefined ? '' : `${rejected.length} refused; the first: ${first.code}: ${first.detail}`;
      return reply(200, encoding, exportAnswer(encoding, signal, rejected.length, message));
    },
  };
}

const contentTypes: Readonly<Record<Encoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

const encodings: ReadonlyMap<string, Encoding> = new Map([
  [contentTypes.protobuf, 'protobuf'],
  [contentTypes.json, 'json'],
]);

/** Codes of google.rpc.Status by status: NOT_FOUND, RESOURCE_EXHAUSTED, UNAVAILABLE; all others are INVALID_ARGUMENT. */
const codes: ReadonlyMap<number, number> = new Map([
  [404, 5],
  [429, 8],
  [503, 14],
]);
const invalidArgument = 3;

function failure(encoding: Encoding, status: number, message: string, retryAfter?: number): Reply {
  const answer = statusAnswer(encoding, codes.get(status) ?? invalidArgument, message, problemOf(message));
  return withRetryAfter(reply(status, encoding, answer), retryAfter);
}

function refused(encoding: Encoding, { status, reason, retryAfter }: IntakeRefusal): Reply {
  return failure(encoding, status, reason, retryAfter);
}

function reply(status: number, encoding: Encoding, bytes: Uint8Array): Reply {
  return { status, contentType: contentTypes[encoding], body: Buffer.from(bytes) };
}
