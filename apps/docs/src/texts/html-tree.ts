import type { Element, Nodes, Root } from 'hast';

/** The elements below a node, in the order of the document. */
export function* elementsOf(node: Nodes): Generator<Element> {
  if (!('children' in node)) return;
  for (const child of node.children) {
    if (child.type === 'element') yield child;
    yield* elementsOf(child);
  }
}

/** The first element below a node that has a class, or a tag in angle brackets. */
export function find(node: Nodes, what: string): Element | undefined {
  for (const element of elementsOf(node)) if (is(element, what)) return element;
  return undefined;
}

/** Whether an element has a class (`.field`) or a tag (`details`). */
export function is(element: Element, what: string): boolean {
  if (!what.startsWith('.')) return element.tagName === what;
  const { className } = element.properties;
  return Array.isArray(className) && className.includes(what.slice(1));
}

/** The words of a node. */
export function textOf(node: Nodes | Root): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

/** The words of a node on one line. */
export function lineOf(node: Nodes): string {
  return textOf(node).replaceAll(/\s+/g, ' ').trim();
}
