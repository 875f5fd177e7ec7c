import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Joined, Mode } from '../../src/scoring/family.ts';
import { isObject, type Json, type JsonObject } from '../../src/scoring/json.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';
import { schema } from '../../src/scoring/schema/index.ts';
import { testFamilyLaws } from '../support/family-laws.ts';
import { isPerfect, rowOf } from '../support/scoring.ts';
import { events } from '../support/track-events.ts';

const rate = rateWith(z95);
const weights = { tool_selection: 0.4, parameter_accuracy: 0.35, execution_success: 0.25, response_quality: 0 };
const modes = fc.constantFrom<Mode>('spec', 'upstream');
const family = (mode: Mode) => schema({ mode, weights, deep: undefined });

testFamilyLaws({ family, options: modes, events, oracle: definition, oracleRuns: 200 });

test('perfect is a row without a fault', () => {
  fc.assert(
    fc.property(events, modes, (event, mode) => {
      const row = rowOf(family(mode), event);
      assert.equal(isPerfect(family(mode), event), row && (row['skipped'] === true || row['execution'] === true));
    }),
  );
});

type Sample = 'none' | 'skipped' | 'error' | { selection: boolean; parameters: boolean; unchecked?: number };

/** The definition (docs/reference/scoring.md, "schema") in the order of its own sentences, over the whole set at once. */
function definition(all: readonly Joined[], mode: Mode): unknown {
  const samples = all
    .map((event) => (mode === 'spec' ? bySpec(event) : byUpstream(event)))
    .filter((one) => one !== 'none');
  if (samples.length === 0) return null;
  const counted = samples.filter((one) => one !== 'skipped');
  const n = counted.length;
  const right = (test: (one: { selection: boolean; parameters: boolean }) => boolean) =>
    counted.filter((one) => one !== 'error' && test(one)).length;
  const selection = right((one) => one.selection);
  const parameters = right((one) => one.parameters);
  const execution = right((one) => one.selection && one.parameters);
  const overall = n === 0 ? null : (selection / n) * 0.4 + (parameters / n) * 0.35 + (execution / n) * 0.25;
  const bands = [
    [0.9, 'excellent'],
    [0.75, 'good'],
    [0.5, 'fair'],
    [Number.NEGATIVE_INFINITY, 'poor'],
  ] as const;
  return {
    n,
    tool_selection_accuracy: rate(selection, n),
    parameter_accuracy: rate(parameters, n),
    execution_success_rate: rate(execution, n),
    response_quality: 0,
    overall,
    band: overall === null ? null : bands.find(([from]) => overall >= from)![1],
    processing_errors: counted.filter((one) => one === 'error').length,
    unchecked_arguments: counted.reduce(
      (sum, one) => sum + (one === 'error' ? 0 : ((one as { unchecked?: number }).unchecked ?? 0)),
      0,
    ),
    skipped_no_expected_tool: samples.length - n,
  };
}

function bySpec({ prediction, truth }: Joined): Sample {
  if (truth.expected === undefined || prediction.callsNotRecorded) return 'none';
  const call = prediction.calls?.[0];
  if (prediction.error !== undefined) return 'error';
  if (call !== undefined && (call.name === undefined || call.arguments === undefined)) return 'error';
  const expected = truth.expected[0];
  if (expected === undefined) return 'skipped';
  if (call === undefined) return { selection: false, parameters: false };
  const selection = call.name === expected.name;
  const tools = (truth.tools ?? prediction.tools ?? []).map(readTool);
  if (tools.every((tool) => tool.parameters === undefined)) {
    return { selection, parameters: equalValues(expected.arguments, call.arguments!) };
  }
  const tool = tools.find((one) => one.name === call.name);
  const parameters =
    tool !== undefined && (tool.parameters === undefined || fits(tool.parameters, call.arguments!, 'spec'));
  const unchecked = tool?.parameters === undefined ? 0 : uncheckedOf(tool.parameters, call.arguments!).length;
  return { selection, parameters, unchecked };
}

function byUpstream({ prediction, truth }: Joined): Sample {
  if (truth.expected === undefined || prediction.callsNotRecorded) return 'none';
  const values = truth.expected.flatMap((one) => Object.values(one.arguments));
  if (values.includes(null) || values.includes('')) return 'error';
  const ofEvent = truth.tools === undefined;
  const raw = truth.tools ?? prediction.tools ?? [];
  if (raw.some((tool) => isOdd(tool, ofEvent)) || prediction.error !== undefined) return 'error';
  const call = prediction.calls?.[0];
  const wrong = { selection: false, parameters: false };
  if (call === undefined || call.name === undefined) return wrong;
  if (call.arguments === undefined) return 'error';
  const expected = truth.expected[0];
  if (expected === undefined) return wrong;
  const selection = call.name === expected.name;
  if (JSON.stringify(expected.arguments) === '{}' && JSON.stringify(call.arguments) === '{}') {
    return { selection, parameters: true };
  }
  const tools = raw.map(readTool);
  const known = tools.some((tool) => tool.parameters !== undefined) && call.name !== '';
  const tool = known ? tools.find((one) => one.name === call.name) : undefined;
  if (tool === undefined) return { selection, parameters: equalValues(expected.arguments, call.arguments) };
  return { selection, parameters: tool.parameters === undefined || fits(tool.parameters, call.arguments, 'upstream') };
}

interface Tool {
  readonly name: string | undefined;
  readonly parameters: Map<string, Json> | undefined;
}

function readTool(tool: Json): Tool {
  if (typeof tool === 'string') return { name: tool, parameters: undefined };
  const outer = fieldsOf(tool);
  const inner = outer?.has('function') ? fieldsOf(outer.get('function')) : outer;
  const name = inner?.get('name');
  return { name: typeof name === 'string' ? name : undefined, parameters: fieldsOf(inner?.get('parameters')) };
}

function isOdd(tool: Json, described: boolean): boolean {
  const outer = fieldsOf(tool);
  if (outer === undefined) return false;
  const inner = outer.has('function') ? fieldsOf(outer.get('function')) : outer;
  if (inner === undefined) return true;
  const parameters = inner.has('parameters') ? fieldsOf(inner.get('parameters')) : new Map<string, Json>();
  if (parameters === undefined) return true;
  const properties = [...(fieldsOf(parameters.get('properties')) ?? [])].map(([, schema]) => schema);
  const schemas = properties.filter((schema) => schema !== null);
  if (schemas.some((schema) => fieldsOf(schema) === undefined)) return true;
  const texts = [inner, ...schemas.map((schema) => fieldsOf(schema)!)].filter((one) => one.has('description'));
  return described && texts.some((one) => typeof one.get('description') !== 'string');
}

function fits(parameters: Map<string, Json>, args: JsonObject, mode: Mode): boolean {
  const given = fieldsOf(args)!;
  const declared = fieldsOf(parameters.get('properties')) ?? new Map<string, Json>();
  const known = new Map([...declared].filter(([, schema]) => isObject(schema)));
  const required = parameters.get('required');
  for (const name of Array.isArray(required) ? required : []) {
    if (typeof name === 'string' && (mode === 'spec' || known.has(name)) && !given.has(name)) return false;
  }
  return [...given].every(([name, value]) => {
    if (!known.has(name)) return true;
    if (mode === 'spec' && uncheckedOf(parameters, args).includes(name)) return true;
    const type = fieldsOf(known.get(name))!.get('type');
    return (Array.isArray(type) ? (type as Json[]) : [type]).some((one) =>
      typesOf(value, mode).includes(nameOf(one, mode)),
    );
  });
}

/** Arguments that no type of which the schema knows describes, and that no type beside it accepts. */
function uncheckedOf(parameters: Map<string, Json>, args: JsonObject): string[] {
  const declared = fieldsOf(parameters.get('properties'));
  return [...fieldsOf(args)!].flatMap(([name, value]) => {
    if (declared === undefined) return [name];
    const schema = fieldsOf(declared.get(name));
    if (schema === undefined) return [];
    const types = [schema.get('type') ?? []].flat() as Json[];
    const accepted = types.some((type) => typesOf(value, 'spec').includes(type as string));
    const isSilent = types.length === 0 || types.some((type) => !typeNames.includes(type as string));
    return isSilent && !accepted ? [name] : [];
  });
}

const typeNames = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'];

function nameOf(type: Json | undefined, mode: Mode): string {
  const known = typeof type === 'string' && typeNames.includes(type) && (mode === 'spec' || type !== 'null');
  return known ? type : 'string';
}

/** The names of the types that a value has. */
function typesOf(value: Json, mode: Mode): string[] {
  if (value === null) return mode === 'spec' ? ['null'] : [];
  if (Array.isArray(value)) return ['array'];
  if (typeof value !== 'number') return [typeof value];
  return Number.isFinite(value) && value === Math.floor(value) ? ['number', 'integer'] : ['number'];
}

function equalValues(a: JsonObject, b: JsonObject): boolean {
  const left = fieldsOf(a)!;
  const right = fieldsOf(b)!;
  const keys = new Set([...left.keys(), ...right.keys()]);
  return [...keys].every((key) => {
    if (!left.has(key) || !right.has(key)) return false;
    const [x, y] = [left.get(key)!, right.get(key)!];
    const numeric = [x, y].every((one) => typeof one === 'number' || typeof one === 'boolean');
    if (numeric) return x === y || Math.abs(Number(x) - Number(y)) <= 1e-6;
    if (typeof x === 'string' && typeof y === 'string') return x.trim().toLowerCase() === y.trim().toLowerCase();
    return canonical(x) === canonical(y);
  });
}

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return typeof value === 'number' ? String(value + 0) : JSON.stringify(value);
  const fields = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`);
  return `{${fields.sort().join()}}`;
}

function fieldsOf(value: Json | undefined): Map<string, Json> | undefined {
  return isObject(value) ? new Map(Object.entries(value)) : undefined;
}
