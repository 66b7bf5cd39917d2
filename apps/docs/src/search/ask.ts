/** A page that was found, as Pagefind hands it over; its words are loaded when they are asked for. */
export interface Found {
  readonly id: string;
  readonly score: number;
  data(): Promise<FoundPage>;
}

export interface FoundPage {
  readonly url: string;
}

export interface Answer {
  readonly results: Found[];
}

export interface Index {
  search(term: string | null, options?: object): Promise<Answer>;
}

/** Words that a question has and its answer does not. */
const stopWords = new Set(
  `a about after all am an and any are as at be been before being best but by can could did do does doing each ever for
  from get gets getting give go going got had has have he her here him his how i if in into is it its just keep let like
  make makes many me mean means might more most much must my need needs no not now of off on once one only or other our out over
  own please possible really set she should show so some somebody still such than that the their them then there these they
  thing this those to too under until up us use used uses using very want wants was way we were what when where which
  while who why will with without would you your`.split(/\s+/),
);

/** The share of a word's letters, in pairs, that a known word must have to be taken for it. */
const likeEnough = 0.55;

/**
 * Answers a question where Pagefind alone finds only pages with every word of it: words that say nothing are dropped,
 * unknown ones are taken for the nearest known one, and a page counts by the words that it has, rare ones more.
 *
 * @param known the words that pages are found by
 * @param entries the anchors of errors by status and by name
 */
export async function ask(
  index: Index,
  known: readonly string[],
  entries: Readonly<Record<string, string>>,
  question: string | null,
  options?: object,
): Promise<Answer> {
  const typed = question?.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_.-]*/gu) ?? [];
  const telling = typed.filter((word) => !stopWords.has(word));
  const words = (telling.length > 0 ? telling : typed).slice(0, 12);
  const whole = await index.search(words.length > 0 ? words.join(' ') : question, options);
  if (words.length === 0) return whole;
  const scores = new Map<string, { found: Found; score: number }>();
  const add = (results: readonly Found[], weight: number): void => {
    const highest = Math.max(...results.map(({ score }) => score), Number.EPSILON);
    results.forEach((found) => {
      const known = scores.get(found.id)?.score ?? 0;
      scores.set(found.id, { found, score: known + (weight * found.score) / highest });
    });
  };
  for (const word of words) {
    const exact = await index.search(word, options);
    const term = exact.results.length > 0 ? word : (nearest(word, known) ?? word);
    const { results } = term === word ? exact : await index.search(term, options);
    add(results, Math.log(1 + 200 / (1 + results.length)));
  }
  if (words.length > 1) add(whole.results, 4);
  const ranked = [...scores.values()].sort((left, right) => right.score - left.score);
  const results = ranked.map(({ found, score }) => ({ ...found, score, data: () => found.data() }));
  const entry = words.find((word) => Object.hasOwn(entries, word));
  const anchor = entry === undefined ? undefined : entries[entry];
  return { ...whole, results: anchor === undefined ? results : await entryFirst(results, anchor) };
}

/** A status code or the name of an error leads straight to its entry. */
async function entryFirst(results: Found[], anchor: string): Promise<Found[]> {
  const pages = await Promise.all(results.slice(0, 40).map((found) => found.data()));
  const place = pages.findIndex(({ url }) => url.endsWith('/errors/') && !url.endsWith('/guides/errors/'));
  const [found, page] = [results[place], pages[place]];
  if (found === undefined || page === undefined) return results;
  const first = { ...found, data: async () => ({ ...page, url: `${page.url}#${anchor}` }) };
  return [first, ...results.filter((other) => other !== found)];
}

/** The known word that a misspelt one most likely is. */
function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let highest = likeEnough;
  for (const candidate of known) {
    const share = likeness(word, candidate);
    if (share > highest) [best, highest] = [candidate, share];
  }
  return best;
}

/** Share of letter pairs that the words of two texts have in common, from 0 to 1. */
function likeness(left: string, right: string): number {
  const ours = pairsIn(left);
  const theirs = pairsIn(right);
  const all = ours.length + theirs.length;
  const common = ours.filter((pair) => {
    const at = theirs.indexOf(pair);
    if (at >= 0) theirs.splice(at, 1);
    return at >= 0;
  }).length;
  return (2 * common) / Math.max(1, all);
}

function pairsIn(text: string): string[] {
  return Array.from(text.toLowerCase(), (letter, at) => letter + (text[at + 1] ?? ' ').toLowerCase()).filter(
    (pair) => !pair.includes(' '),
  );
}
