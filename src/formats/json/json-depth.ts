/**
 * Returns whether a JSON text could nest deeper than `limit`: a cheap upper bound (it counts opening brackets, also those inside strings),
 * so that almost no event is walked.
 */
export function mayNestDeeper(text: string, limit: number): boolean {
  let left = limit;
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) if (--left < 0) return true;
  for (let at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) if (--left < 0) return true;
  return false;
}

/** Returns whether objects and arrays nest deeper than `limit`, the value itself being depth 1. Walks from level to level, so on no stack. */
export function nestsDeeper(value: unknown, limit: number): boolean {
  let level: object[] = [];
  addContainer(level, value);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: object[] = [];
    for (const container of level) addContainersIn(next, container);
    level = next;
  }
  return false;
}

function addContainersIn(level: object[], container: object): void {
  if (Array.isArray(container)) for (const item of container as readonly unknown[]) addContainer(level, item);
  // A value of JSON.parse has own keys alone; `for in` visits them without making a list.
  else for (const key in container) addContainer(level, (container as Readonly<Record<string, unknown>>)[key]);
}

function addContainer(level: object[], value: unknown): void {
  if (typeof value === 'object' && value !== null) level.push(value);
}
