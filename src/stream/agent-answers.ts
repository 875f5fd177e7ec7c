import { isObject } from '../scoring/json.ts';
import type { StepContent } from './event.ts';
import { around, type RunStep, type StepsById } from './step-tree.ts';

/**
 * The steps of a trace of which no answer of a model was recorded: the answer of an agent, which its span has, stands for those within it. Any
 * other trace is left as it is: its agents repeat their models.
 */
export function withAgentAnswers(steps: readonly RunStep[], byId: StepsById): readonly RunStep[] {
  if (steps.some(({ part, given }) => part === 'model' && given['unrecorded'] !== true)) return steps;
  if (!steps.some(hasAnswer)) return steps;
  return steps.map((step) => {
    if (hasAnswer(step) && ![...around(step, byId)].some(hasAnswer)) {
      const { answer, ...given } = step.given;
      return { ...step, part: 'model', given: { ...given, ...(answer as StepContent) } };
    }
    return step.part === 'model' ? { ...step, part: 'context' } : step;
  });
}

function hasAnswer({ part, given }: RunStep): boolean {
  return part === 'context' && isObject(given['answer']);
}
