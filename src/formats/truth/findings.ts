import type { JsonObject } from '../../scoring/json.ts';
import { labels, toolCall } from '../../scoring/label.ts';
import { fitsGlob } from '../../scoring/match/paths.ts';
import { schemaOf } from '../../scoring/schema/reading.ts';
import type { SchemaCheck } from '../../scoring/tool-use/calls.ts';
import { parametersOf, toolName } from '../../scoring/tool.ts';
import type { ExpectedCall, FindingKind, Truth } from '../../scoring/truth.ts';
import { shortened } from '../json/shortened.ts';
import { ruleProblems } from './rule-problems.ts';

/** One contradiction within a row. */
export interface Finding {
  readonly kind: FindingKind;
  /** The parts that contradict each other. */
  readonly detail: string;
  readonly remedy: string;
}

/**
 * The contradictions within a row (docs/reference/truth.md, "Contradictions"): of its label and its calls, of its calls and its tools, of
 * arguments and the schema of their tool, and rules that cannot hold.
 *
 * `{"label": "cannot_answer", "expected_tool_calls": [{"name": "f"}], "tools": ["g"]}` has two: `label` and `tool`.
 */
export function findingsOf(truth: Truth, check: SchemaCheck): readonly Finding[] {
  const { expected = [], alternatives = [] } = truth;
  const inList = (calls: readonly ExpectedCall[], path: string): readonly Finding[] =>
    calls.flatMap((call, at) =>
      callFindings(call, truth, check).map((found) => ({ ...found, detail: `${path}[${at}]: ${found.detail}` })),
    );
  return [
    ...labelFindings(truth),
    ...inList(expected, 'expected_tool_calls'),
    ...alternatives.flatMap((calls, list) => inList(calls, `alternatives[${list}]`)),
  ];
}

function labelFindings({ label, expected, alternatives = [] }: Truth): Finding[] {
  if (label === undefined || expected === undefined) return [];
  const kind = 'label';
  if (label !== toolCall && expected.length > 0) {
    const detail = `label is ${labels[label as 0]}, and ${shortened(expected[0]!.name)} is expected`;
    return [{ kind, detail, remedy: 'correct the label, or expect no call' }];
  }
  if (label === toolCall && expected.length === 0 && alternatives.every((calls) => calls.length === 0)) {
    const remedy = 'give the expected calls, null where they are not known, or the label that is right';
    return [{ kind, detail: 'label is tool_call, and expected_tool_calls is empty', remedy }];
  }
  return [];
}

function callFindings(
  { name, arguments: args, accept }: ExpectedCall,
  { tools, forbidden = [] }: Truth,
  check: SchemaCheck,
): readonly Finding[] {
  const found: Finding[] = [];
  const add = (kind: FindingKind, detail: string, remedy: string): void => void found.push({ kind, detail, remedy });
  const glob = forbidden.find((one) => fitsGlob(one, name));
  if (glob !== undefined)
    add('tool', `${shortened(name)} is expected, and forbidden holds ${shortened(glob)}`, 'take it out of one of them');
  const tool = tools?.find((one) => toolName(one) === name);
  if (tools !== undefined && tool === undefined)
    add('tool', `${shortened(name)} is none of the tools of the row`, 'correct the name, or add the tool to tools');
  const parameters = tool === undefined ? undefined : parametersOf(tool);
  const broken = parameters === undefined || isAnyRight(accept) ? 'fits' : check(schemaOf(parameters), args);
  if (typeof broken === 'object') {
    const where = broken.path === '' ? 'the arguments break' : `${broken.path} breaks`;
    add(
      'arguments',
      `${where} ${broken.keyword} of the schema of ${shortened(name)}`,
      'correct the arguments, or the schema',
    );
  }
  if (accept !== undefined)
    for (const problem of ruleProblems(accept, args))
      add('rules', problem, 'correct the path, the rule or the expected value');
  return found;
}

/** Returns whether any arguments are right. */
function isAnyRight(accept: JsonObject | undefined): boolean {
  const every = accept?.['*'];
  return typeof every === 'object' && every !== null && (every as JsonObject)['ignore'] === true;
}
