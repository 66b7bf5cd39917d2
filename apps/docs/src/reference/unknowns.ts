import type { OperationPage } from './model/operations.ts';

/** A place of the reference that carries a mark. */
export interface MarkPlace {
  readonly label: string;
  /** Address below the base of the site. */
  readonly address: string;
}

/** For each entry of the register, the places on the pages of the operations that it is about. */
export function findMarkPlaces(pages: readonly OperationPage[]): ReadonlyMap<string, readonly MarkPlace[]> {
  const places = new Map<string, MarkPlace[]>();
  for (const page of pages) {
    for (const { unknown, anchor, what } of marksIn(page)) {
      const known = places.get(unknown) ?? [];
      const address = `/reference/${page.slug}/#${anchor}`;
      // A field of a body that several operations take is named once, at the first of them.
      if (known.some((place) => place.address === address || place.label.endsWith(` ${what}`))) continue;
      places.set(unknown, [...known, { label: `${page.id} ${what}`, address }]);
    }
  }
  return places;
}

/** The marks of a part of a page and of all parts in it, each with the nearest part that has an anchor. */
function* marksIn(
  part: unknown,
  anchor = '',
  what = '',
): Generator<Record<'unknown' | 'anchor' | 'what', string>> {
  if (Array.isArray(part)) for (const entry of part) yield* marksIn(entry, anchor, what);
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return;
  const own = part as Partial<Record<'unknown' | 'anchor' | 'path' | 'status' | 'id', string>>;
  if (own.unknown !== undefined) yield { unknown: own.unknown, anchor, what };
  const [place, name] =
    own.anchor === undefined ? [anchor, what] : [own.anchor, own.path ?? own.status ?? own.id ?? own.anchor];
  for (const value of Object.values(part)) yield* marksIn(value, place, name);
}
