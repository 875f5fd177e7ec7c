import { Buffer } from 'node:buffer';
import protobuf from 'protobufjs';
import type { Encoding, Signal } from './request.ts';

/*
 * Answers of OTLP/HTTP, in the encoding of the request. Definition: trace_service.proto and logs_service.proto in github.com/open-telemetry/opentelemetry-proto,
 * and status.proto in github.com/googleapis/googleapis.
 */

/** The answer to a request that was taken; `message` says why some of its items were not. Of both signals it is the same on the wire. */
export function exportAnswer(encoding: Encoding, signal: Signal, rejected: number, message: string): Uint8Array {
  if (encoding === 'json') {
    const key = signal === 'traces' ? 'rejectedSpans' : 'rejectedLogRecords';
    const partial = { partialSuccess: { [key]: String(rejected), errorMessage: message } };
    return Buffer.from(JSON.stringify(rejected === 0 ? {} : partial));
  }
  const writer = protobuf.Writer.create();
  if (rejected > 0)
    writer.uint32(bytesOf(1)).fork().uint32(numberOf(1)).int64(rejected).uint32(bytesOf(2)).string(message).ldelim();
  return writer.finish();
}

/** A `google.rpc.Status`: the answer to a request that was not taken. In JSON it has further keys beside it. */
export function statusAnswer(encoding: Encoding, code: number, message: string, more: object): Uint8Array {
  if (encoding === 'json') return Buffer.from(JSON.stringify({ code, message, ...more }));
  return protobuf.Writer.create().uint32(numberOf(1)).int32(code).uint32(bytesOf(2)).string(message).finish();
}

function numberOf(field: number): number {
  return field << 3;
}

function bytesOf(field: number): number {
  return (field << 3) | 2;
}
