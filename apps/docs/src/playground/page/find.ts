/** The element that matches, or an error that names what is missing: the page and its script must fit together. */
export function find<Kind extends Element = HTMLElement>(root: ParentNode, selector: string): Kind {
  const element = root.querySelector<Kind>(selector);
  if (!element) throw new Error(`the playground has no ${selector}`);
  return element;
}
