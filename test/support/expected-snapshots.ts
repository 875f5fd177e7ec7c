/** What Arrow snapshots must hold, worked out from what the program says as JSON, and from nothing else. */

type Row = Readonly<Record<string, unknown>>;

const families = ['decision', 'tool_calls', 'trajectory', 'schema', 'arguments', 'structured', 'match', 'tool_use'];

const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  decision: ['gold', 'predicted', 'label_status', 'correct', 'hallucinations'],
  tool_calls: ['strict', 'flexible'],
  trajectory: ['strict', 'flexible', 'missing', 'extra', 'mismatches'],
  schema: ['selection', 'parameters', 'execution', 'expected_tool', 'predicted_tool', 'error'],
  arguments: ['valid_call', 'name_match', 'args_exact', 'call_exact', 'tp', 'fp', 'fn', 'issues'],
  structured: ['json_valid', 'exact_match', 'tp', 'fp', 'fn', 'issues'],
  match: ['correct', 'list', 'expected', 'predicted', 'matched', 'errors', 'repeated_calls', 'loop'],
  tool_use: [
    'calls',
    'steps',
    'malformed',
    'unknown',
    'invalid',
    'failed_calls',
    'failed',
    'unanswered',
    'not_recovered',
    'loop',
  ],
};

/** A score row of NDJSON as a reader of Arrow gives it; time in ms. */
export function expectedScore(row: Row): Row {
  const source = row['source'] as Row;
  const full: Record<string, unknown> = {
    event_id: row['event_id'],
    example_id: row['example_id'],
    ts: Date.parse(row['ts'] as string),
    model: row['model'],
    agent: row['agent'],
    run: row['run'],
    scored: row['scored'],
    source: Object.fromEntries(
      ['topic', 'partition', 'offset', 'file', 'line'].map((name) => [name, source[name] ?? null]),
    ),
    tags: Object.entries(row['tags'] as Row),
    ...Object.fromEntries(['success', 'expected_calls', 'predicted_calls'].map((name) => [name, row[name]])),
    ...Object.fromEntries(
      ['expected_tools', 'predicted_tools', 'calls', 'steps', 'run_seconds'].map((name) => [name, row[name]]),
    ),
  };
  for (const family of families) full[family] = expectedFamily(family, row[family] as Row | null | undefined);
  return full;
}

function expectedFamily(family: string, part: Row | null | undefined): Row | null {
  if (part === null || part === undefined) return null;
  const full: Record<string, unknown> = { skipped: part['skipped'] ?? false };
  for (const name of fieldsOf[family]!) {
    const value = part[name] ?? null;
    const listed = name === 'mismatches' || name === 'errors' ? (value as readonly Row[] | null) : null;
    full[name] = listed?.map((one) => Object.fromEntries(Object.entries(one).map(jsonCell))) ?? value;
  }
  return full;
}

/** Values of any type are JSON text; null is null. */
function jsonCell([name, value]: [string, unknown]): [string, unknown] {
  const isJson = ['expected', 'actual', 'rule'].includes(name);
  return [name, isJson && value !== null ? JSON.stringify(value) : value];
}

const empty: Row = {
  label: null,
  predicted: null,
  value: null,
  lower: null,
  upper: null,
  numerator: null,
  denominator: null,
};

/** The rows of an aggregate snapshot; none of the sets has more groups than snapshots show. */
export function expectedAggregates(
  summary: { readonly as_of: string; readonly groups: readonly Row[] },
  dimensions: readonly string[],
): Row[] {
  const at = Date.parse(summary.as_of);
  const none = Object.fromEntries(dimensions.map((name) => [name, null]));
  return summary.groups.flatMap(({ slice, window, ...blocks }) =>
    Object.entries(blocks).flatMap(([family, block]) =>
      block === null
        ? []
        : numbersOf(withoutEntries(family, block as Row)).map((point) => ({
            at,
            window,
            ...none,
            ...(slice as Row),
            family,
            ...empty,
            ...point,
          })),
    ),
  );
}

/** Breakdowns of tool_use are no numbers of their own: `errors` is one there, and the counts of kinds in match. */
function withoutEntries(family: string, block: Row): Row {
  if (family !== 'tool_use') return block;
  const { errors, violations, ...rest } = block;
  return rest;
}

const breakdowns = [
  'parameter_mismatches',
  'tools',
  'by_call_count',
  'by_combination',
  'missing_tools',
  'extra_tools',
  'arguments',
];

function numbersOf(block: Row, prefix = ''): Row[] {
  return Object.entries(block).flatMap(([key, value]) => {
    const metric = prefix === '' ? key : `${prefix}.${key}`;
    if (key === 'band' || breakdowns.includes(key)) return [];
    if (key === 'confusion') return cellsOf(value as Readonly<Record<string, Row>>);
    if (key === 'per_class' || key === 'per_label' || key === 'errors')
      return Object.entries(value as Row).flatMap(([label, part]) =>
        numbersOf(part as Row, key).map((point) => ({ ...point, label })),
      );
    if (value === null || typeof value === 'number') return [{ metric, value }];
    const { sum, count, lower_always: _lower, upper_always: _upper, ...rate } = value as Row;
    if (sum !== undefined) return [{ metric, value: rate['value'], denominator: count }];
    return 'numerator' in rate ? [{ metric, ...rate }] : numbersOf(value as Row, metric);
  });
}

function cellsOf(confusion: Readonly<Record<string, Row>>): Row[] {
  return Object.entries(confusion).flatMap(([label, row]) =>
    Object.entries(row).map(([predicted, value]) => ({ metric: 'confusion', label, predicted, value })),
  );
}
