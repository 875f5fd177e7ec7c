import type { TruthRecord } from '../../formats/truth/record.ts';
import type { Json } from '../../scoring/json.ts';
import { type Label, labels } from '../../scoring/label.ts';
import { type DemoAgent, type DemoTool, demoAgents } from './catalogue.ts';
import { pick, type Random, weighted } from '../../statistics/random.ts';

/** One task of the demonstration, with its gold answer. */
export interface DemoExample {
  readonly agent: DemoAgent;
  readonly label: Label;
  /** True if the agent has tools for it; a task that nothing fits may come without any. */
  readonly offered: boolean;
  readonly record: TruthRecord;
}

/** Shares of the four gold labels, in the order of `labels`. */
const shares = [0.22, 0.5, 0.16, 0.12];

/** Examples with a realistic mix of gold decisions; ids are `demo-<number>`. */
export function demoExamples(random: Random, count: number): DemoExample[] {
  return Array.from({ length: count }, (_, index) => demoExample(random, `demo-${String(index).padStart(5, '0')}`));
}

function demoExample(random: Random, id: string): DemoExample {
  const agent = pick(random, demoAgents);
  const label = labels[weighted(random, shares)]!;
  const offered = label !== 'cannot_answer' || random() < 0.4;
  const callCount = label === 'tool_call' ? 1 + weighted(random, [0.7, 0.25, 0.05]) : 0;
  const record: TruthRecord = {
    example_id: id,
    label,
    tools: offered ? agent.tools.map(({ name, parameters }) => ({ name, parameters })) : [],
    expected_tool_calls: Array.from({ length: callCount }, () => demoCall(random, pick(random, agent.tools))),
    reference: label === 'direct' && random() < 0.5 ? demoAnswer(random) : null,
  };
  return { agent, label, offered, record };
}

/** A call with all required arguments and some of the others. */
export function demoCall(random: Random, tool: DemoTool): { name: string; arguments: Record<string, Json> } {
  const required = tool.parameters['required'] as readonly string[];
  const chosen = Object.entries(tool.values).filter(([key]) => required.includes(key) || random() < 0.5);
  return { name: tool.name, arguments: Object.fromEntries(chosen.map(([key, values]) => [key, pick(random, values)])) };
}

function demoAnswer(random: Random): Json {
  return {
    answer: pick(random, ['yes', 'no', 'it depends on the fare']),
    sources: [pick(random, ['faq', 'policy', 'terms'])],
    confidence: pick(random, [0.7, 0.8, 0.9]),
  };
}
