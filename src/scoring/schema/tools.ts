import type { Json } from '../json.ts';
import { parametersOf, toolName } from '../tool.ts';

/** The tools that an event could use. */
export interface ToolList {
  readonly tools: readonly Json[];
  /** Some tool has parameters; a list in which none has is no schemas. */
  readonly schemas: boolean;
}

/** The tools of one side, read once. */
export function toolList(tools: readonly Json[] | undefined): ToolList {
  if (tools === undefined) return noTools;
  return { tools, schemas: tools.some((tool) => parametersOf(tool) !== undefined) };
}

/** The first tool of that name; `undefined` where there is none. */
export function findTool({ tools }: ToolList, name: string): Json | undefined {
  return tools.find((tool) => toolName(tool) === name);
}

const noTools: ToolList = { tools: [], schemas: false };
