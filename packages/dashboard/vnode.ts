/** What the page should look like, as plain data: `patch` brings the document into this form. */
export interface VNode {
  readonly tag: Tag;
  readonly attributes: Attributes;
  readonly children: readonly Child[];
}

export type Child = VNode | string;

/** What a caller may give as a child: nothing is shown for `undefined` and `false`. */
export type Children = readonly (Child | undefined | false | Children)[];

/** Elements that the page is made of. No element that loads or runs anything is among them. */
export type Tag = HtmlTag | SvgTag;
type HtmlTag =
  | ('header' | 'main' | 'footer' | 'section' | 'article' | 'nav' | 'div' | 'span' | 'p' | 'h1' | 'h2' | 'h3' | 'h4')
  | ('table' | 'caption' | 'thead' | 'tbody' | 'tfoot' | 'tr' | 'th' | 'td' | 'dl' | 'dt' | 'dd' | 'ul' | 'ol' | 'li')
  | ('button' | 'input' | 'label' | 'fieldset' | 'legend' | 'bdi' | 'time' | 'strong' | 'small' | 'a' | 'code')
  | ('details' | 'summary' | 'select' | 'option');
type SvgTag = 'svg' | 'polyline' | 'circle';

/** Attributes that views may set. None of them can hold script or an address from data. */
export interface Attributes {
  /** Finds the same element again among its siblings. */
  readonly key?: string;
  /** The children are somebody else's (a chart): they are left alone. */
  readonly island?: true;
  /** Custom properties of the style, without the dashes. */
  readonly vars?: Readonly<Record<string, string>>;
  readonly class?: string | undefined;
  readonly id?: string;
  readonly title?: string | undefined;
  readonly role?: string | undefined;
  readonly scope?: 'col' | 'row' | 'colgroup' | 'rowgroup';
  readonly colspan?: number;
  readonly type?: 'button' | 'radio' | 'search';
  readonly name?: string;
  readonly value?: string;
  readonly for?: string;
  readonly placeholder?: string;
  readonly autocomplete?: 'off';
  readonly dir?: 'auto' | 'ltr';
  readonly datetime?: string;
  readonly tabindex?: number;
  readonly hidden?: boolean;
  readonly checked?: boolean;
  readonly selected?: boolean;
  readonly disabled?: boolean;
  /** Only addresses of the service itself. */
  readonly href?: 'metrics' | 'api/v1/summary' | 'readyz?verbose' | 'livez?verbose';
  readonly viewBox?: string;
  readonly points?: string;
  readonly preserveAspectRatio?: 'none';
  readonly cx?: number;
  readonly cy?: number;
  readonly r?: number;
  readonly [aria: `aria-${string}`]: string | undefined;
  readonly [data: `data-${string}`]: string | undefined;
}

/** An element of the page. */
export function h(tag: Tag, attributes: Attributes = {}, ...children: Children): VNode {
  return { tag, attributes, children: flat(children) };
}

function flat(children: Children): Child[] {
  return children.flatMap((child) => {
    if (child === undefined || child === false) return [];
    return isList(child) ? flat(child) : [child as Child];
  });
}

function isList(child: Child | Children): child is Children {
  return Array.isArray(child);
}

/** All text in an element, for tests and labels. */
export function textOf(node: Child): string {
  return typeof node === 'string' ? node : node.children.map(textOf).join('');
}
