import { likeness } from './ask.ts';

/** A page by its title and its address. */
export interface ListedPage {
  readonly title: string;
  readonly address: string;
}

/** Reads the pages of `llms.txt`. */
export function readList(text: string): readonly ListedPage[] {
  return [...text.matchAll(/^- \[([^\]]+)\]\((\S+)\.md\)/gm)].map(([, title = '', path = '']) => ({
    title,
    address: path.endsWith('/index') ? path.slice(0, -'index'.length) : `${path}/`,
  }));
}

/** The words of an address: `/guides/speach/` is `guides speach`. */
export function wordsIn(address: string): string {
  let path = address;
  try {
    path = decodeURIComponent(address);
  } catch {
    // Nobody can say what half an escape means.
  }
  return path
    .replace(/\.\w+$/, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The pages whose addresses are most like a wrong one, at most three. */
export function likelyPages(wrong: string, pages: readonly ListedPage[]): readonly ListedPage[] {
  return pages
    .map((page) => ({ page, share: likeness(wordsIn(wrong), wordsIn(page.address)) }))
    .filter(({ share }) => share > 0.4)
    .sort((left, right) => right.share - left.share)
    .slice(0, 3)
    .map(({ page }) => page);
}
