import fc from 'fast-check';
import type { Joined } from '../../src/scoring/family.ts';
import { join } from '../../src/scoring/join.ts';
import type { Json } from '../../src/scoring/json.ts';
import type { Output } from '../../src/scoring/prediction.ts';
import { events as callEvents, values } from './calls.ts';

const types = fc.constantFrom<Json>('string', 'integer', 'number', 'boolean', 'array', 'object', 'null', 'any', 5, [
  'null',
  'integer',
]);
const properties = fc.constantFrom('x', 'y', '__proto__', 'toString', 'z');

const property: fc.Arbitrary<Json> = fc.oneof(
  { weight: 12, arbitrary: types.map((type): Json => ({ type })) },
  { weight: 2, arbitrary: fc.constantFrom<Json>({}, { type: [] }, { type: 'integer', description: 'd' }) },
  { weight: 1, arbitrary: fc.constantFrom<Json>(null, true, 'string', { description: 5 }, { description: null }) },
);

const parameters: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(
        fc.array(fc.tuple(properties, property), { maxLength: 4 }),
        fc.option(fc.array(fc.oneof(properties, fc.constant<Json>(7)), { maxLength: 2 })),
      )
      .map(([entries, required]): Json => ({ properties: Object.fromEntries(entries), required })),
  },
  { weight: 1, arbitrary: fc.constantFrom<Json>(null, {}, 'object', [], { properties: null }, { properties: [] }) },
);

const names = fc.constantFrom('a', 'b', 'A', '', '__proto__', 'constructor');

const tool: fc.Arbitrary<Json> = fc.oneof(
  { weight: 2, arbitrary: names },
  { weight: 6, arbitrary: fc.tuple(names, parameters).map(([name, schema]): Json => ({ name, parameters: schema })) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(names, parameters)
      .map(([name, schema]): Json => ({ type: 'function', function: { name, description: 'd', parameters: schema } })),
  },
  { weight: 1, arbitrary: names.map((name): Json => ({ name })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Json>(
      null,
      3,
      { function: null },
      { function: 'a' },
      { function: {} },
      { name: 'a', description: 3, parameters: {} },
    ),
  },
);

const toolLists = fc.option(fc.array(tool, { maxLength: 3 }), { nil: undefined, freq: 3 });

const texts = fc.constantFrom(
  '',
  'nul',
  '{}',
  ' [1, {"x": "Rome"}] ',
  '{"a.b": 1, "a": {"b": 2}}',
  '{"a": {"b": 2}, "a.b": 1}',
  '{"$": 1}',
  '"\\ud800"',
  '<tool_call name="a">{"x": 1}</tool_call>',
  ' <tool_call name="b"> {"x": {"y": []}} </tool_call>\n',
  '<tool_call name="">{}</tool_call>',
  '<tool_call name="a">{bad}</tool_call>',
  '<tool_call name="a">{}</tool_call>.',
);

const outputs: fc.Arbitrary<Output> = fc.oneof(
  fc.constant<Output>({ kind: 'absent' }),
  texts.map((text): Output => ({ kind: 'text', text })),
  values.map((value): Output => ({ kind: 'json', value })),
);

/** Objects whose keys look like paths: places collide. */
export const tangled: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<Json>(0, -0, 1, '1', null, true, '', Number.POSITIVE_INFINITY),
    fc.array(tie('value'), { maxLength: 2 }),
    fc
      .array(
        fc.tuple(fc.constantFrom('a', 'b', '', '$', 'a.b', 'a.', '.a', 'a[0]', '[0]', '[', '__proto__'), tie('value')),
        {
          maxLength: 3,
        },
      )
      .map((entries): Json => Object.fromEntries(entries)),
  ),
})).value;

const references = fc.option(fc.oneof(values, tangled, texts.map(parsed)), { nil: undefined, freq: 5 });

/** Events as of `calls.ts`, with tools on either side, errors, outputs and references. The output is often the reference. */
export const events: fc.Arbitrary<Joined> = fc
  .record({
    event: callEvents,
    tools: toolLists,
    eventTools: toolLists,
    error: fc.option(fc.constantFrom('boom', ''), { nil: undefined, freq: 6 }),
    output: outputs,
    reference: references,
    right: fc.boolean(),
  })
  .map(({ event, tools, eventTools, error, output, reference, right }) => {
    const answer: Output = right && reference !== undefined ? { kind: 'json', value: reference } : output;
    const recorded = event.prediction.callsNotRecorded ? undefined : error;
    return join(
      { ...event.prediction, tools: eventTools, error: recorded, output: answer },
      { ...event.truth, tools, reference },
    );
  });

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
