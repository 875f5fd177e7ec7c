import { parser } from '@prometheus-io/lezer-promql';

/** What a PromQL expression holds, as far as the linters ask. */
export interface Query {
  readonly valid: boolean;
  readonly selectors: readonly Selector[];
  /** Whether some values do not pass: a comparison without `bool`, or `absent`. */
  readonly filters: boolean;
}

export interface Selector {
  readonly name: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
  /** Function that is applied to the range of the selector: `rate`; undefined for an instant one. */
  readonly over: string | undefined;
  /** `5m`; undefined for an instant selector. */
  readonly range: string | undefined;
}

type Node = ReturnType<typeof parser.parse>['topNode'];

const comparisons = new Set(['Gtr', 'Gte', 'Lss', 'Lte', 'Eql', 'EqlC', 'Neq']);

/** Parses an expression without variables. */
export function parseQuery(text: string): Query {
  const selectors: Selector[] = [];
  let valid = true;
  let filters = false;
  parser.parse(text).iterate({
    enter({ node, name, type }) {
      if (type.isError) valid = false;
      if (name === 'Absent') filters = true;
      if (comparisons.has(name) && node.parent?.name === 'BinaryExpr')
        filters ||= node.parent.getChild('BoolModifier') === null;
      if (name === 'VectorSelector') selectors.push(selectorOf(node, text));
    },
  });
  return { valid, selectors, filters };
}

function selectorOf(node: Node, text: string): Selector {
  const of = (child: Node | null): string => (child === null ? '' : text.slice(child.from, child.to));
  const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
  const matrix = node.parent?.name === 'MatrixSelector' ? node.parent : undefined;
  const range = matrix === undefined ? undefined : text.slice(node.to, matrix.to).replace(/^\[|\]$/g, '');
  return {
    name: of(node.getChild('Identifier')),
    matchers: matchers.map((matcher) => ({
      label: of(matcher.getChild('LabelName')),
      operator: of(matcher.getChild('MatchOp')),
      value: JSON.parse(of(matcher.getChild('StringLiteral'))) as string,
    })),
    over: matrix === undefined ? undefined : functionAround(matrix, text),
    range,
  };
}

function functionAround(node: Node, text: string): string | undefined {
  for (let at: Node | null = node; at !== null; at = at.parent) {
    const name = at.name === 'FunctionCall' ? at.getChild('FunctionIdentifier') : null;
    if (name !== null) return text.slice(name.from, name.to);
  }
  return undefined;
}
