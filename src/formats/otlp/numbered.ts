import { getOrPut } from '../../state/containers/get-or-put.ts';
import type { Attributes } from './span.ts';

/** A message whose fields are attributes; `parts` and `calls` by their numbers. */
interface Numbered {
  readonly fields: Record<string, unknown>;
  readonly parts: Map<number, Record<string, unknown>>;
  readonly calls: Map<number, Record<string, unknown>>;
}

/** `0.content`, `0.tool_calls.1.name`; of OpenInference `0.message.tool_calls.1.tool_call.function.name`, `0.message.contents.0.message_content.text`. */
const numberedName =
  /^(\d{1,6})\.(?:message\.)?(?:(role|name|content|finish_reason|tool_call_id)|contents\.(\d{1,6})\.message_content\.(type|text)|tool_calls\.(\d{1,6})\.(?:tool_call\.)?(?:function\.)?(id|name|arguments))$/;

/** Messages of which each field is an attribute: its name holds the number of the message, and of the part or call. Undefined where there are none. */
export function numbered(attributes: Attributes, prefix: string): readonly object[] | undefined {
  const found = new Map<number, Numbered>();
  for (const [name, value] of attributes) {
    if (!name.startsWith(prefix)) continue;
    const [, number, field, part, partField, call, callField] = numberedName.exec(name.slice(prefix.length)) ?? [];
    if (number === undefined) continue;
    const { fields, parts, calls } = getOrPut(found, Number(number), noMessage);
    if (field !== undefined) fields[field] = value;
    else if (part !== undefined) getOrPut(parts, Number(part), noFields)[partField!] = value;
    else getOrPut(calls, Number(call), noFields)[callField!] = value;
  }
  if (found.size === 0) return undefined;
  return inOrder(found).map(({ fields, parts, calls }) => ({
    ...fields,
    ...(parts.size > 0 && { content: inOrder(parts) }),
    ...(calls.size > 0 && { tool_calls: inOrder(calls) }),
  }));
}

function noMessage(): Numbered {
  return { fields: {}, parts: new Map(), calls: new Map() };
}

function noFields(): Record<string, unknown> {
  return {};
}

function inOrder<Value>(values: ReadonlyMap<number, Value>): readonly Value[] {
  return [...values].sort(([a], [b]) => a - b).map(([, value]) => value);
}
