import { schemaCheck } from '../formats/json-schema/validator.ts';
import { argumentsFamily } from '../scoring/arguments.ts';
import { decision } from '../scoring/decision/index.ts';
import type { AnyFamily } from '../scoring/family.ts';
import { feedbackFamily } from '../scoring/feedback/index.ts';
import { outcomeFamily } from '../scoring/feedback/outcome.ts';
import { judgeDeclaration, judgements, semanticDeclaration } from '../scoring/judgement/index.ts';
import { ownJudgements } from '../scoring/judgement/own.ts';
import { type MatchOptions, match } from '../scoring/match/index.ts';
import { profileOptions } from '../scoring/match/profiles.ts';
import { type DeepValidator, schema } from '../scoring/schema/index.ts';
import { structured } from '../scoring/structured.ts';
import { toolCalls } from '../scoring/tool-calls.ts';
import { type ToolNaming, toolNaming } from '../scoring/tool-names.ts';
import { toolUse } from '../scoring/tool-use/index.ts';
import { trajectory } from '../scoring/trajectory/index.ts';
import type { Config } from './config.ts';

/** The families that are enabled, in the order of every report; `judged`: judgements are read. */
export function familiesOf(config: Config, deep: DeepValidator | undefined, judged: boolean): AnyFamily[] {
  const { metrics, tools } = config;
  const naming = namingOf(tools) ?? ((name: string) => name);
  const known = tools.known.length === 0 ? undefined : tools.known.map(naming);
  const all: readonly (AnyFamily | false)[] = [
    metrics.decision.enabled &&
      decision({
        mode: metrics.decision.mode,
        invalidAs: metrics.decision.invalid_as,
        known,
      }),
    metrics.tool_calls.enabled && toolCalls(metrics.tool_calls),
    metrics.trajectory.enabled &&
      trajectory({
        ...metrics.trajectory,
        paramThreshold: metrics.trajectory.param_threshold,
        orderThreshold: metrics.trajectory.order_threshold,
        minCombinationCount: metrics.trajectory.min_combination_count,
      }),
    metrics.schema.enabled && schema({ ...metrics.schema, deep: metrics.schema.deep ? deep : undefined }),
    metrics.arguments.enabled &&
      argumentsFamily({ mode: metrics.arguments.mode, emptyLeaves: metrics.arguments.empty_leaves }),
    metrics.structured.enabled &&
      structured({ mode: metrics.structured.mode, emptyLeaves: metrics.structured.empty_leaves }),
    metrics.match.enabled && match(matchOptions(metrics.match, naming)),
    metrics.tool_use.enabled && toolUse({ known, check: schemaCheck() }),
    ...(judged ? judgementFamilies(config) : []),
    readsFeedback(config) && feedbackFamily(),
    readsFeedback(config) && namesOutcomes(config) && outcomeFamily(config.feedback.outcomes),
  ];
  return all.filter((family) => family !== false);
}

/** Tools are named in the configuration as in events: by any of their names. */
function matchOptions({ profile, ...given }: Config['metrics']['match'], naming: ToolNaming): MatchOptions {
  const overrides = renamedKeys(given.overrides ?? {}, naming);
  const forbidden = given.forbidden.map(naming);
  if (profile !== undefined) {
    const chosen = { arguments: given.arguments, overrides };
    return { ...profileOptions(profile, chosen), forbidden };
  }
  const rules = renamedKeys(given.rules as MatchOptions['rules'], naming);
  const { order, arguments: mode, defaults, null_is_absent: nullIsAbsent } = given;
  const { extra_calls: extraCalls, missing_calls: missingCalls } = given;
  return { order, extraCalls, missingCalls, arguments: mode, defaults, nullIsAbsent, rules, forbidden };
}

function renamedKeys<Value>(
  byTool: Readonly<Record<string, Value>>,
  naming: ToolNaming,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(byTool).map(([tool, value]) => [naming(tool), value]));
}

/** Returns whether feedback is read: events are kept for it. */
export function readsFeedback({ kafka }: Config): boolean {
  return kafka.feedback_topic !== undefined;
}

/** Returns whether outcomes of feedback have numbers of their own. */
function namesOutcomes({ feedback: { outcomes } }: Config): boolean {
  return outcomes.good.length + outcomes.bad.length > 0;
}

/** Names by which tools are compared; undefined where they are as they come. */
export function namingOf({ rename }: Config['tools']): ToolNaming | undefined {
  return rename.length === 0 ? undefined : toolNaming(rename);
}

function judgementFamilies({ metrics: { semantic, judge } }: Config): AnyFamily[] {
  return [
    judgements(semanticDeclaration, { normalization: 'div7', threshold: semantic.threshold }),
    judgements(judgeDeclaration, judge),
    ownJudgements(judge),
  ];
}
