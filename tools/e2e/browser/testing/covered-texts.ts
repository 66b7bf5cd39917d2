/** Runs in a page: scrolls it from top to bottom in steps of half a screen. @returns the pairs of texts that cover each other */
export async function coveredTexts(): Promise<string[]> {
  // A new width holds for media queries from the next frame.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  /** Pixels that letters may share: the boxes of large type are higher than its lines. */
  const tolerance = 4;
  const skipped = 'header.header, mobile-starlight-toc, dialog, script, style, option, .sl-skip-link';
  const isField = (element: Element) => element.matches('input, select, textarea');
  const elements = [...document.body.querySelectorAll('*')].filter((element) => {
    const hasText = [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
    return !element.closest(skipped) && (hasText || isField(element));
  });

  /** The boxes of an element's own lines, as far as they are in view. */
  function visibleBoxes(element: Element) {
    const { top, bottom } = element.getBoundingClientRect();
    const isShown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (bottom < 0 || top > innerHeight || !isShown) return [];
    const view = { left: 0, right: innerWidth, top: 0, bottom: innerHeight };
    for (let part: Element | null = element; part && part !== document.body; part = part.parentElement) {
      if (getComputedStyle(part).overflow === 'visible') continue;
      const edge = part.getBoundingClientRect();
      view.left = Math.max(view.left, edge.left);
      view.right = Math.min(view.right, edge.right);
      view.top = Math.max(view.top, edge.top);
      view.bottom = Math.min(view.bottom, edge.bottom);
    }
    const lines = [...element.childNodes].flatMap((node) => {
      const range = document.createRange();
      range.selectNode(node);
      return node instanceof Text && node.data.trim() !== '' ? [...range.getClientRects()] : [];
    });
    return (isField(element) ? [element.getBoundingClientRect()] : lines).map((box) => ({
      element,
      left: Math.max(box.left, view.left),
      right: Math.min(box.right, view.right),
      top: Math.max(box.top, view.top),
      bottom: Math.min(box.bottom, view.bottom),
    }));
  }

  const nameOf = ({ tagName, textContent }: Element) => `${tagName} "${textContent.trim().slice(0, 30)}"`;
  const covered = new Set<string>();
  for (let place = 0; place < document.documentElement.scrollHeight; place += innerHeight / 2) {
    scrollTo({ top: place, behavior: 'instant' });
    const boxes = elements.flatMap(visibleBoxes).sort((first, second) => first.top - second.top);
    for (const [index, first] of boxes.entries()) {
      for (const second of boxes.slice(index + 1)) {
        if (second.top > first.bottom - tolerance) break;
        const width = Math.min(first.right, second.right) - Math.max(first.left, second.left);
        const height = Math.min(first.bottom, second.bottom) - second.top;
        if (width <= tolerance || height <= tolerance) continue;
        if (first.element.contains(second.element) || second.element.contains(first.element)) continue;
        covered.add(`at ${place}: ${nameOf(first.element)} and ${nameOf(second.element)}`);
      }
    }
  }
  return [...covered];
}
