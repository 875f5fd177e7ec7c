import { RE2JS } from 're2js';
import { isObject, type Json } from './json.ts';
import type { Prediction } from './prediction.ts';
import { toolDefinition } from './tool.ts';
import type { Truth } from './truth.ts';

/** A rule of `tools.rename`: patterns are of RE2, and match anywhere in a name; `from` is a whole name. */
export type NameRule =
  | { readonly strip: string }
  | { readonly replace: string; readonly with: string }
  | { readonly from: string; readonly to: string };

/** The name by which a tool is compared. */
export type ToolNaming = (name: string) => string;

/**
 * The preset `common`: changes that clients and servers make to names on the wire. Channels of Harmony, Kimi's `functions.NAME:0`, prefixes of
 * OpenAI (`functions.`) and Gemini (`default_api.`), servers of MCP (`mcp__SERVER__NAME`, Gemini CLI: `mcp_SERVER_NAME`), and dots.
 */
export const commonNames: readonly NameRule[] = [
  { strip: '(?s)<\\|channel\\|>.*$' },
  { replace: '^functions\\.(.+):\\d+$', with: '$1' },
  { strip: '^functions\\.' },
  { strip: '^default_api[.:]' },
  { strip: '^mcp__.+?__' },
  { strip: '^mcp_[A-Za-z0-9-]+_' },
  { replace: '\\.', with: '_' },
];

/** Names by rules, which change a name one after the other. A rule that would leave nothing of a name does not hold for it. */
export function toolNaming(rules: readonly NameRule[]): ToolNaming {
  const steps = rules.map(stepOf);
  const known = new Map<string, string>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const renamed = steps.reduce((changing, step) => step(changing) || changing, name);
    if (known.size === knownMax) known.clear();
    if (name.length <= knownCharacters) known.set(name, renamed);
    return renamed;
  };
}

/** Names that are cached, and the characters of the longest: agents invent any number of them. */
const knownMax = 4_096;
const knownCharacters = 256;

function stepOf(rule: NameRule): ToolNaming {
  if ('from' in rule) return (name) => (name === rule.from ? rule.to : name);
  const pattern = RE2JS.compile('strip' in rule ? rule.strip : rule.replace);
  const by = 'strip' in rule ? '' : rule.with;
  return (name) => pattern.matcher(name).replaceAll(by);
}

/** A prediction with the names by which its tools are compared. */
export function namedPrediction(prediction: Prediction, naming: ToolNaming | undefined): Prediction {
  if (naming === undefined) return prediction;
  const { calls, tools } = prediction;
  return { ...prediction, calls: calls && namedCalls(calls, naming), tools: tools && namedTools(tools, naming) };
}

/** A truth row with the names by which its tools are compared. */
export function namedTruth(truth: Truth, naming: ToolNaming | undefined): Truth {
  if (naming === undefined) return truth;
  const { expected, alternatives, forbidden, tools } = truth;
  return {
    ...truth,
    expected: expected && namedCalls(expected, naming),
    tools: tools && namedTools(tools, naming),
    ...(alternatives && { alternatives: alternatives.map((calls) => namedCalls(calls, naming)) }),
    ...(forbidden && { forbidden: forbidden.map(naming) }),
  };
}

function namedCalls<Named extends { readonly name: string | undefined }>(
  calls: readonly Named[],
  naming: ToolNaming,
): readonly Named[] {
  return calls.map((call) => (call.name === undefined ? call : { ...call, name: naming(call.name) }));
}

function namedTools(tools: readonly Json[], naming: ToolNaming): readonly Json[] {
  return tools.map((tool) => {
    if (typeof tool === 'string') return naming(tool);
    const { definition, wrapped } = toolDefinition(tool);
    if (!isObject(definition) || typeof definition['name'] !== 'string') return tool;
    const named = { ...definition, name: naming(definition['name']) };
    return wrapped && isObject(tool) ? { ...tool, function: named } : named;
  });
}
