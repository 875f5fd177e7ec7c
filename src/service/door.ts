import type { WriteRoute } from '../adapters/http/answering.ts';
import { doorRoutes, type EventReading, shutRoutes } from '../adapters/http/ingest/door.ts';
import type { Config } from '../config/config.ts';
import { hasNoTruth, liveInput, readerOf } from '../config/settings.ts';
import { forms } from '../formats/inputs/forms.ts';
import { feedbackReader } from '../formats/feedback/record.ts';
import { truthReader } from '../formats/truth/record.ts';
import type { Intake, IntakeKind } from '../ports.ts';
import type { Reviewed } from './review.ts';
import { type IngestCounts, observe } from '../telemetry.ts';

/** The door of a service: where records go that are sent to it, or `shut` with the reason. */
export type Door = OpenDoor | { readonly shut: string };

export interface OpenDoor {
  readonly intake: Intake;
  /** Reasons why records of a kind are not taken; absent where they are. */
  readonly refused?: Readonly<Partial<Record<IntakeKind, string>>> | undefined;
  /** Aborted when the service stops. */
  readonly signal: AbortSignal;
}

/** The paths that take records, in the form in which the service reads its first topic. Once it stops they answer with status 503. */
export function doorOf(config: Config, door: Door, counts: IngestCounts, reviewed: Reviewed): readonly WriteRoute[] {
  if ('shut' in door) return shutRoutes(door.shut);
  const { intake, refused = {}, signal } = door;
  const { limits, truth } = config;
  const reading = readingIn(config);
  return doorRoutes({
    intake: {
      async append(kind, records) {
        const startMs = performance.now();
        await intake.append(kind, records);
        observe(counts.appendSeconds, (performance.now() - startMs) / 1000);
        if (kind === 'feedback') reviewed.add(records);
      },
      refusal: () => (signal.aborted ? stopping : intake.refusal()),
    },
    readingOf: (format) => formReading(config, format, reading),
    spans: () => spanReading(config, reading),
    truth: () => refused.truth ?? truthReader({ limits, fields: truth.fields, refusesEmpty: true }),
    feedback: () => refused.feedback ?? feedbackReader(truthReader({ limits, fields: truth.fields })),
    recordBytes: limits.record_bytes,
    counts,
  });
}

/** Returns whether events and truth are taken. */
export function takesRecords(door: Door | undefined): boolean {
  return door !== undefined && !('shut' in door) && door.refused?.truth === undefined;
}

/** Returns whether feedback is taken. */
export function takesFeedback(door: Door | undefined): boolean {
  return door !== undefined && !('shut' in door) && door.refused?.feedback === undefined;
}

/** Reason why nothing is taken beside Kafka. */
export const besideKafka =
  'nothing is taken here, as records come from Kafka; set ingest.to: kafka to have what is sent here produced into the first of kafka.topics';

/** Reasons why truth or feedback is not taken for Kafka without a topic of it. */
export function refusedBeside({ kafka }: Config): OpenDoor['refused'] {
  return {
    ...(kafka.truth_topic === undefined && { truth: 'truth is not taken; name a topic for it in kafka.truth_topic' }),
    ...(kafka.feedback_topic === undefined && {
      feedback: 'feedback is not taken; name a topic for it in kafka.feedback_topic',
    }),
  };
}

const stopping = { status: 503, reason: 'the service is stopping; send it again', retryAfter: 5 } as const;

/** Reads events as the log is read, or in a form of their own. */
function readingIn(config: Config, format?: EventFormat): EventReading {
  const { record_bytes: recordBytes, elements } = config.limits;
  const ownExamples = hasNoTruth(config);
  const [topic] = config.kafka.topics;
  const reader =
    format === undefined
      ? readerOf(config, true, { ...(topic !== undefined && { topic }), ownExamples })
      : readerOf({ ...config, input: { ...config.input, format } }, true, { ownExamples });
  return { reader, recordBytes, elements, nowMs: Date.now(), asNative: format !== undefined };
}

type EventFormat = ReturnType<typeof liveInput>['format'];

const formats: readonly string[] = ['auto', 'otlp', ...Object.keys(forms)];

/** How events of a form are read: as the log is, or with a reader of that form where the log holds native events too. */
function formReading(config: Config, format: string | undefined, ofLog: EventReading): EventReading | string {
  const { format: logFormat, response, request, fields } = liveInput(config);
  const isOfLog = format === undefined || format === logFormat || (logFormat === 'auto' && format === 'otlp');
  if (isOfLog) return { ...ofLog, nowMs: Date.now() };
  if (!formats.includes(format))
    return `format: unknown value ${JSON.stringify(format.slice(0, 100))}; known: ${formats.join(', ')}`;
  const hasPlaces = response !== undefined || request !== undefined || Object.keys(fields).length > 0;
  if ((logFormat !== 'auto' && logFormat !== 'assay') || hasPlaces)
    return `format: the log is read as input says (format ${logFormat}${hasPlaces ? ', with places of its own' : ''}); leave the parameter out, or configure input for ${format}`;
  return readingIn(config, format as EventFormat);
}

/** How spans and log records are read; or why they are not. */
function spanReading(config: Config, ofLog: EventReading): EventReading | string {
  const { format } = liveInput(config);
  return format === 'auto' || format === 'otlp'
    ? { ...ofLog, nowMs: Date.now() }
    : `spans are not read, as input.format is ${format}; set input.format: auto`;
}
