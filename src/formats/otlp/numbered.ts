import { getOrPut } from '../../state/containers/get-or-put.ts';
import type { Attributes } from './span.ts';

interface Numbered {
  readonly message: { content?: unknown; finish_reason?: unknown };
  readonly calls: Map<number, NumberedCall>;
}

interface NumberedCall {
  name?: unknown;
  arguments?: unknown;
}

/** `0.content`, `0.tool_calls.1.name`; of OpenInference `0.message.tool_calls.1.tool_call.function.name`, `0.message.contents.0.message_content.text`. */
const numberedName =
  /^(\d{1,6})\.(?:message\.)?(?:(content|finish_reason|contents\.\d{1,6}\.message_content\.text)|tool_calls\.(\d{1,6})\.(?:tool_call\.function\.)?(name|arguments))$/;

/** Messages of which each field is an attribute: its name holds the number of the message and of the call. Undefined where there are none. */
export function numbered(attributes: Attributes, prefix: string): readonly object[] | undefined {
  const found = new Map<number, Numbered>();
  for (const [name, value] of attributes) {
    if (!name.startsWith(prefix)) continue;
    const [, number, field, call, callField] = numberedName.exec(name.slice(prefix.length)) ?? [];
    if (number === undefined) continue;
    const { message, calls } = getOrPut(found, Number(number), (): Numbered => ({ message: {}, calls: new Map() }));
    if (field !== undefined) message[field === 'finish_reason' ? field : 'content'] = value;
    else getOrPut(calls, Number(call), (): NumberedCall => ({}))[callField as 'name'] = value;
  }
  if (found.size === 0) return undefined;
  return inOrder(found).map(({ message, calls }) => ({
    ...message,
    ...(calls.size > 0 && { tool_calls: inOrder(calls) }),
  }));
}

function inOrder<Value>(values: ReadonlyMap<number, Value>): readonly Value[] {
  return [...values].sort(([a], [b]) => a - b).map(([, value]) => value);
}
