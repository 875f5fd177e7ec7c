import { isUtf8 } from 'node:buffer';
import type { DeadLetter } from '../../stream/dead-letter.ts';

/**
 * A dead letter as one line of NDJSON: {reason, detail, source, value}. A value that is no UTF-8 is shown with replacement
 * characters, and whole in `value_base64`; of one that was not read, `unread` says so.
 */
export function deadLetterLine({ reason, detail, source, value, unread }: DeadLetter): string {
  const text = value === null ? null : Buffer.from(value.buffer, value.byteOffset, value.length).toString('utf8');
  const exact = value !== null && !isUtf8(value) ? { value_base64: Buffer.from(value).toString('base64') } : {};
  return JSON.stringify({ reason, detail, source, value: text, ...exact, ...(unread && { unread }) });
}
