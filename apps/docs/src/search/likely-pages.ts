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
    .map((page) => ({ page, likeness: likeness(wordsIn(wrong), wordsIn(page.address)) }))
    .filter(({ likeness }) => likeness > 0.4)
    .sort((left, right) => right.likeness - left.likeness)
    .slice(0, 3)
    .map(({ page }) => page);
}

/** Share of letter pairs that two texts have in common, from 0 to 1. */
function likeness(left: string, right: string): number {
  const ours = pairsIn(left);
  const theirs = pairsIn(right);
  const common = ours.filter((pair) => {
    const at = theirs.indexOf(pair);
    if (at < 0) return false;
    theirs.splice(at, 1);
    return true;
  }).length;
  return (2 * common) / Math.max(1, ours.length + common + theirs.length);
}

function pairsIn(text: string): string[] {
  return text
    .toLowerCase()
    .split(' ')
    .flatMap((word) =>
      Array.from({ length: Math.max(0, word.length - 1) }, (_, at) => word.slice(at, at + 2)),
    );
}
