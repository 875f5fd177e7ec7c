import type { LogRecord } from '../stream/event.ts';
import { watermarkOf } from '../state/event-time.ts';
import { limitNames } from '../state/limit-hits.ts';
import { sliceValues } from '../state/slices.ts';
import { limitReached, modelCounters, observe, partitionGauges } from '../telemetry.ts';
import { takeDeadLetters } from './dead-letters.ts';
import { takeNotes } from './input-notes.ts';
import type { Service } from './service.ts';
import type { Task } from './task.ts';

/** Moves the output of a fold into the dead letters and the telemetry. */
export function collect(service: Service, task: Task, records: readonly LogRecord[]): void {
  const { telemetry } = service.options;
  const { out, state } = task;
  takeNotes(out.input, telemetry.input, task.partition);
  for (const { limit } of out.rejects) if (limit !== undefined) limitReached(telemetry, limit);
  if (out.rejects.length + out.expired.length > 0)
    task.deadLetters = task.deadLetters.concat(takeDeadLetters(out, records, task.partition));
  for (const [model, calls] of out.unknownCalls) modelCounters(telemetry, model).unknownToolCalls += calls;
  out.unknownCalls.clear();
  for (const delay of out.truthDelaysMs) observe(telemetry.truthDelaySeconds, Math.max(0, delay) / 1000);
  out.truthDelaysMs.length = 0;
  for (const seconds of out.runSeconds) observe(telemetry.runSeconds, seconds);
  out.runSeconds.length = 0;
  for (const limit of limitNames) {
    if (state.limitHits[limit] > 0) limitReached(telemetry, limit, state.limitHits[limit]);
    state.limitHits[limit] = 0;
  }
  meetModels(service, task);
  gauge(service, task);
}

/** Counters of a model are there, at 0, from the moment that it is seen. */
function meetModels(service: Service, task: Task): void {
  const { slices } = task.state;
  for (; task.slicesSeen < slices.dictionary.list.length; task.slicesSeen++)
    modelCounters(service.options.telemetry, sliceValues(slices, task.slicesSeen)[0]!);
}

/** Shows how far a partition is. */
export function gauge(service: Service, task: Task): void {
  const gauges = partitionGauges(service.options.telemetry, task.partition);
  gauges.position = task.state.numbers.nextOffset;
  gauges.watermarkMs = watermarkOf(task.state);
  gauges.eventTimeMs = task.state.numbers.greatestTs;
}
