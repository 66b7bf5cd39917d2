import type { Field, Mark, OperationPage } from './model/page-model.ts';

/** A line of the register of unknowns, as the specification publishes it. */
export interface UnknownEntry {
  readonly id: string;
  readonly kind: 'blank' | 'contradiction' | 'addition';
  readonly section?: string;
  /** Statement of the interface, word for word; present in blanks. */
  readonly statement?: string;
  /** The sentences that cannot both hold; contradictions have them. */
  readonly statements?: readonly { readonly section?: string; readonly text: string }[];
  /** The addition; present in additions. */
  readonly subject?: string;
  /** Choice that the specification, the client and the servers follow. */
  readonly choice: string;
  /** Consequence for each side; present in contradictions. */
  readonly decision?: Readonly<Record<string, string>>;
  /** Documented publicly for services with the same interface, or a choice of our own. */
  readonly from?: 'public' | 'assumed';
  readonly reason: string;
  /** A way for the owner of a key to find out. */
  readonly settle: string;
}

/** A place of the reference that carries a mark. */
export interface MarkPlace {
  readonly label: string;
  /** Address below the base of the site. */
  readonly address: string;
}

/** For each entry of the register, the places on the pages of the operations that it is about. */
export function findMarkPlaces(pages: readonly OperationPage[]): ReadonlyMap<string, readonly MarkPlace[]> {
  const places = new Map<string, MarkPlace[]>();
  const add = (marks: readonly Mark[], page: OperationPage, anchor: string, what: string): void => {
    for (const { unknown } of marks) {
      const known = places.get(unknown) ?? [];
      const address = `/reference/${page.slug}/#${anchor}`;
      // A field of a body that several operations take is named once, at the first of them.
      if (known.some((place) => place.address === address || place.label.endsWith(` ${what}`))) continue;
      places.set(unknown, [...known, { label: `${page.id} ${what}`, address }]);
    }
  };
  for (const page of pages) {
    const walk = (fields: readonly Field[]): void => {
      for (const field of fields) {
        add(field.marks, page, field.anchor, field.path);
        walk(field.fields);
      }
    };
    for (const { fields } of page.parameters) walk(fields);
    if (page.body !== undefined) {
      add(page.body.marks, page, 'body', 'body');
      for (const { shape, mediaTypes } of page.body.contents) {
        for (const { marks } of mediaTypes) add(marks, page, 'body', 'media types');
        add(shape.marks, page, 'body', 'body');
        walk([...shape.fields, ...shape.choices.flatMap(({ fields }) => fields)]);
      }
    }
    for (const rule of page.rules) add(rule.marks, page, rule.anchor, rule.id);
    for (const success of page.successes) {
      add(success.marks, page, success.anchor, success.status);
      walk(success.headers);
      for (const { shape, mediaTypes } of success.contents) {
        for (const { marks } of mediaTypes) add(marks, page, success.anchor, 'media types of the answer');
        add(shape.marks, page, success.anchor, success.status);
        walk(shape.fields);
      }
    }
    for (const refusal of page.refusals)
      add(
        [...refusal.marks, ...refusal.when.flatMap(({ marks }) => marks)],
        page,
        refusal.anchor,
        refusal.status,
      );
  }
  return places;
}
