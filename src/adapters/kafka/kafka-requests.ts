import type { Message } from 'kafkajs';

const requestBytes = 512 * 1024;
const requestMessages = 500;

/** Messages in requests of at most 512 KiB, in order; one that is larger has a request of its own. */
export function inRequests(messages: readonly Message[]): Message[][] {
  const requests: Message[][] = [];
  let size = requestBytes;
  for (const each of messages) {
    const bytes = (each.key?.length ?? 0) + (each.value?.length ?? 0);
    const last = requests[requests.length - 1];
    if (last === undefined || size + bytes > requestBytes || last.length === requestMessages) {
      requests.push([each]);
      size = bytes;
    } else {
      last.push(each);
      size += bytes;
    }
  }
  return requests;
}
