/**
 * Whether a JSON text could nest deeper than `limit`: a cheap upper bound (it counts opening brackets, also those inside
 * strings), so that almost no event is walked.
 */
export function mayNestDeeper(text: string, limit: number): boolean {
  let left = limit;
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) if (--left < 0) return true;
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) if (--left < 0) return true;
  return false;
}

/** Whether objects and arrays nest deeper than `limit`, the value itself being depth 1. Walks with a stack of its own. */
export function nestsDeeper(value: unknown, limit: number): boolean {
  const values: object[] = [];
  const depths: number[] = [];
  if (isContainer(value)) push(value, 1);
  while (values.length > 0) {
    const depth = depths.pop()!;
    const container = values.pop()!;
    if (depth > limit) return true;
    if (Array.isArray(container)) {
      for (const item of container) if (isContainer(item)) push(item, depth + 1);
    } else {
      for (const key of Object.keys(container)) {
        const item = (container as Record<string, unknown>)[key];
        if (isContainer(item)) push(item, depth + 1);
      }
    }
  }
  return false;

  function push(container: object, depth: number): void {
    values.push(container);
    depths.push(depth);
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
