import type { Attributes, Child, VNode } from './vnode.ts';

/**
 * Brings an element's children into the form that is described, changing as little as it can: focus, selection and scroll position stay.
 * Text goes in as text and attributes as attributes: nothing is ever parsed as markup.
 */
export function patch(parent: Element, children: readonly Child[]): void {
  const keyed = new Map<string, Element>();
  const loose: ChildNode[] = [];
  for (const node of parent.childNodes) {
    const key = node instanceof Element ? keys.get(node) : undefined;
    if (key === undefined || keyed.has(key)) loose.push(node);
    else keyed.set(key, node as Element);
  }
  let place: ChildNode | null = parent.firstChild;
  for (const child of children) {
    const node = reuse(child, keyed, loose) ?? create(child);
    update(node, child);
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
  }
  for (const node of [...keyed.values(), ...loose]) node.remove();
}

const svgNamespace = 'http://www.w3.org/2000/svg';
const svgTags: ReadonlySet<string> = new Set(['svg', 'polyline', 'circle']);
const keys = new WeakMap<Element, string>();
const applied = new WeakMap<Element, Attributes>();

/** Takes the element or text that stood here before, if it is of the same kind. */
function reuse(child: Child, keyed: Map<string, Element>, loose: ChildNode[]): ChildNode | undefined {
  const key = typeof child === 'string' ? undefined : child.attributes.key;
  if (key !== undefined) {
    const found = keyed.get(key);
    if (found === undefined || !isOfKind(found, child)) return undefined;
    keyed.delete(key);
    return found;
  }
  const at = loose.findIndex((node) => isOfKind(node, child));
  return at < 0 ? undefined : loose.splice(at, 1)[0];
}

function isOfKind(node: ChildNode, child: Child): boolean {
  return typeof child === 'string' ? node instanceof Text : node instanceof Element && node.localName === child.tag;
}

function create(child: Child): ChildNode {
  if (typeof child === 'string') return document.createTextNode(child);
  const element = svgTags.has(child.tag)
    ? document.createElementNS(svgNamespace, child.tag)
    : document.createElement(child.tag);
  if (child.attributes.key !== undefined) keys.set(element, child.attributes.key);
  return element;
}

function update(node: ChildNode, child: Child): void {
  if (typeof child === 'string') {
    if (node.nodeValue !== child) node.nodeValue = child;
    return;
  }
  const element = node as HTMLElement;
  updateAttributes(element, child);
  if (child.attributes.island !== true) patch(element, child.children);
}

function updateAttributes(element: HTMLElement, { attributes }: VNode): void {
  const before = applied.get(element) ?? {};
  applied.set(element, attributes);
  for (const name of new Set([...Object.keys(before), ...Object.keys(attributes)]) as Set<keyof Attributes>) {
    if (name === 'key' || name === 'island') continue;
    if (name === 'vars') updateVars(element, before.vars ?? {}, attributes.vars ?? {});
    else if (name === 'checked') (element as HTMLInputElement).checked = attributes.checked === true;
    else if (name === 'selected') (element as HTMLElement as HTMLOptionElement).selected = attributes.selected === true;
    else if (before[name] !== attributes[name]) setAttribute(element, name, attributes[name]);
  }
}

function setAttribute(element: Element, name: string, value: unknown): void {
  if (value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : String(value));
}

function updateVars(
  element: HTMLElement,
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): void {
  for (const name of Object.keys(before)) if (!Object.hasOwn(now, name)) element.style.removeProperty(`--${name}`);
  for (const [name, value] of Object.entries(now))
    if (before[name] !== value) element.style.setProperty(`--${name}`, value);
}
