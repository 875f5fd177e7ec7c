import { truthFromRecords } from '../../src/formats/truth/table.ts';
import type { Json, JsonObject } from '../../src/scoring/json.ts';
import { type Label, labels } from '../../src/scoring/label.ts';
import type { TruthTable } from '../../src/scoring/truth.ts';

export const exampleCount = 24;

/** Versions of the truth; each knows more examples than the one before, and has revised some. */
export const versionCount = 8;

export function exampleId(example: number): string {
  return `example-${example}${example % 7 === 3 ? ' · é' : ''}`;
}

/** First version that knows an example; a few are never known. */
export function knownFrom(example: number): number {
  if (example % 8 === 7) return Number.POSITIVE_INFINITY;
  return [0, 0, 2, 0, 4, 6][example % 6]!;
}

/** Gold label in a version, undefined where the row has none. `revised`: each version changes some labels. */
export function goldLabel(example: number, version: number, revised: boolean): Label | undefined {
  if (example % 11 === 10) return undefined;
  const shift = revised && example % 5 === 1 ? Math.max(0, version - knownFrom(example)) : 0;
  return labels[(example + shift) % labels.length];
}

/** Expected calls of an example, undefined where none are recorded. */
export function expectedCalls(
  example: number,
): { readonly name: string; readonly arguments: JsonObject }[] | undefined {
  if (example % 9 === 8) return undefined;
  const count = labels[example % labels.length] === 'tool_call' ? 1 + (example % 3) : 0;
  return Array.from({ length: count }, (_, call) => ({
    name: call === 0 ? 'search' : `tool${(example + call) % 3}`,
    arguments: { query: `q${example}`, n: call, deep: { list: [1, example / 7] } },
  }));
}

/** Expected structured answer. */
export function referenceOf(example: number): Json | undefined {
  return example % 4 === 2 ? undefined : { answer: example, list: ['a', example % 2 === 0], share: example / 3 };
}

/** Version that is in use where it is always the same. */
export const onlyVersion = 4;

/** A version of the truth as a real table. */
export function truthVersion(version: number, revised: boolean): TruthTable {
  const known = Array.from({ length: exampleCount }, (_, example) => example).filter((e) => knownFrom(e) <= version);
  return truthOf(known, version, revised);
}

/** The table of some examples. */
export function truthOf(examples: readonly number[], version: number, revised: boolean): TruthTable {
  return truthFromRecords(
    examples.map((example) => ({
      example_id: exampleId(example),
      label: goldLabel(example, version, revised) ?? null,
      tools: toolsOf(example),
      expected_tool_calls: expectedCalls(example) ?? null,
      reference: referenceOf(example) ?? null,
    })),
  );
}

function toolsOf(example: number): { name: string; parameters: Json | undefined }[] | null {
  if (example % 10 === 9) return null;
  if (labels[example % labels.length] === 'cannot_answer' && example % 3 !== 0) return [];
  const parameters = {
    type: 'object',
    properties: { query: { type: 'string' }, n: { type: 'integer' } },
    required: ['query'],
  };
  return [
    { name: 'search', parameters },
    { name: `tool${example % 3}`, parameters: undefined },
  ];
}
