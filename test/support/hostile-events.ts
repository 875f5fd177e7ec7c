import type { Random } from '../sim/prng.ts';

const fields = [
  'example_id',
  'event_id',
  'ts',
  'model',
  'agent',
  'tags',
  'run',
  'label',
  'tool_calls',
  'tools',
] as const;
const more = [
  'output',
  'error',
  'success',
  'refused',
  'toolCalls',
  'lable',
  'trace',
  'mode',
  '__proto__',
  '',
  'ts ',
] as const;
const texts = [
  '',
  'e',
  'direct',
  'tool_call',
  'cannot_answer',
  'nonsense',
  '__other__',
  'gpt-4.1',
  'ünïcode',
  '모델',
  '😀',
];
const literals = [
  ...[
    'null',
    'true',
    'false',
    '0',
    '-0',
    '1',
    '12',
    '007',
    '1.5',
    '1e3',
    '1E400',
    '-1',
    '999999999999999',
    '9007199254740993',
  ],
  ...[
    '1777608599123',
    '1777608599123.7',
    '"2026-05-01T04:09:59.123Z"',
    '"2026-02-30T00:00:00Z"',
    '"2026-05-01"',
    '"20260501T040959Z"',
  ],
  ...[
    '[]',
    '{}',
    '[{}]',
    '["f"]',
    '[["f"]]',
    '[{},1]',
    '{"a":{"b":[1,{"c":null}]}}',
    '"\\u0065"',
    '"\\ud800"',
    '"a\\nb"',
    '"\u007f"',
  ],
  ...[
    '[{"name":"f","arguments":{"x":1}}]',
    '[{"name":"f","arguments":"{\\"x\\":1}"}]',
    '[ {"name" : "f", "arguments":{}} ,{"function":{"name":"g"}}]',
  ],
  ...[
    '[{"name":"f"},{"name":"f"},{"name":"f"},{"name":"f"},{"name":"f"}]',
    '["a",{"name":"b","parameters":{}}]',
    '{"team":"x","n":3,"b":true}',
  ],
];
const spaces = ['', '', '', '', ' ', '\n', '\t \r'];

/** The text of an event of any fields, in any order, of which some are no such thing. */
export function anyEvent(random: Random): string {
  const space = (): string => random.pick(spaces);
  const name = (): string => random.pick(random.chance(0.7) ? fields : more);
  const members = Array.from(
    { length: random.int(12) },
    () => `${space()}${key(random, name())}${space()}:${anyValue(random)}`,
  );
  if (random.chance(0.85))
    members.push(`"example_id":${random.chance(0.9) ? `"e${random.int(50)}"` : anyValue(random)}`);
  return `${space()}{${members.join(',')}${space()}}${space()}`;
}

function key(random: Random, name: string): string {
  return random.chance(0.98)
    ? JSON.stringify(name)
    : `"\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}"`;
}

function anyValue(random: Random): string {
  const kind = random.int(4);
  if (kind < 2) return random.pick(literals);
  if (kind === 2) return JSON.stringify(random.pick(texts).repeat(random.chance(0.03) ? 260 : 1));
  const nested = '['.repeat(random.int(70));
  return random.chance(0.1)
    ? `${nested}${']'.repeat(nested.length)}`
    : `{"k${random.int(9)}":${random.pick(literals)}}`;
}

/** Changes some bytes: what follows is mostly no JSON, and sometimes another. */
export function mutated(random: Random, event: Uint8Array): Uint8Array {
  let bytes: Uint8Array = Uint8Array.from(event);
  for (let left = 1 + random.int(3); left > 0 && bytes.length > 0; left--) {
    const at = random.int(bytes.length);
    const kind = random.int(5);
    if (kind === 0) bytes[at] = random.int(256);
    else if (kind === 1) bytes[at] = '{}[]",:\\0-.eE \n\u007f'.charCodeAt(random.int(17));
    else if (kind === 2) bytes = joined(bytes.subarray(0, at), bytes.subarray(at + 1 + random.int(3)));
    else if (kind === 3) bytes = joined(bytes.subarray(0, at), bytes.subarray(Math.max(0, at - random.int(12))));
    else bytes = joined(bytes.subarray(0, at), Uint8Array.of(random.int(256)), bytes.subarray(at));
  }
  return bytes;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}
