import type { Page } from 'playwright-core';

/** Scrolls a page from top to bottom in steps of half a screen. @returns the pairs of texts that cover each other */
export function coveredTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    interface TextBox {
      readonly element: Element;
      readonly left: number;
      readonly right: number;
      readonly top: number;
      readonly bottom: number;
    }
    /** Pixels that letters may share: the boxes of large type are higher than its lines. */
    const tolerance = 4;
    const skipped =
      'header.header, mobile-starlight-toc, dialog, script, style, option, textarea, .sl-skip-link';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: { element: Element; range: Range }[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!element || !node.textContent?.trim() || element.closest(skipped)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      texts.push({ element, range });
    }
    const fields = [...document.querySelectorAll('input, select, textarea')].filter(
      (field) => !field.closest('header.header, dialog'),
    );

    /** The part of a box that is in view, or nothing. */
    function visiblePart(element: Element, box: DOMRect): TextBox[] {
      let { left, right, top, bottom } = box;
      [left, right] = [Math.max(left, 0), Math.min(right, innerWidth)];
      [top, bottom] = [Math.max(top, 0), Math.min(bottom, innerHeight)];
      for (let part: Element | null = element; part !== document.body && part; part = part.parentElement) {
        if (getComputedStyle(part).overflow === 'visible') continue;
        const edge = part.getBoundingClientRect();
        [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
        [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
      }
      return right - left > tolerance && bottom - top > tolerance
        ? [{ element, left, right, top, bottom }]
        : [];
    }

    function visibleBoxes(): TextBox[] {
      const boxes = [
        ...texts.flatMap(({ element, range }) => {
          const { top, bottom } = range.getBoundingClientRect();
          if (bottom < 0 || top > innerHeight || !isShown(element)) return [];
          return [...range.getClientRects()].flatMap((line) => visiblePart(element, line));
        }),
        ...fields.filter(isShown).flatMap((element) => visiblePart(element, element.getBoundingClientRect())),
      ];
      return boxes.sort((first, second) => first.top - second.top);
    }

    function isShown(element: Element): boolean {
      return element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    }

    function covers(first: TextBox, second: TextBox): boolean {
      return (
        Math.min(first.bottom, second.bottom) - Math.max(first.top, second.top) > tolerance &&
        Math.min(first.right, second.right) - Math.max(first.left, second.left) > tolerance &&
        !first.element.contains(second.element) &&
        !second.element.contains(first.element)
      );
    }

    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()} "${element.textContent.trim().slice(0, 30)}"`;
    const covered = new Set<string>();
    for (let place = 0; place < document.documentElement.scrollHeight; place += innerHeight / 2) {
      scrollTo({ top: place, behavior: 'instant' });
      const boxes = visibleBoxes();
      for (const [index, first] of boxes.entries()) {
        for (const second of boxes.slice(index + 1)) {
          if (second.top > first.bottom) break;
          if (covers(first, second))
            covered.add(`at ${place}: ${nameOf(first.element)} and ${nameOf(second.element)}`);
        }
      }
    }
    return [...covered];
  });
}
