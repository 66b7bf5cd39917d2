import type { OperationPage } from './model/page-model.ts';

/** A line of the list "On this page". */
export interface Heading {
  readonly depth: number;
  readonly slug: string;
  readonly text: string;
}

/** The headings of the page of an operation. */
export function headingsOf(page: OperationPage): Heading[] {
  const top = (slug: string, text: string): Heading => ({ depth: 2, slug, text });
  return [
    ...page.parameters.map(({ place }) => top(place.toLowerCase(), place)),
    ...(page.body === undefined
      ? []
      : [
          top('body', 'Body'),
          ...page.body.contents.flatMap(({ shape }) =>
            shape.choices.map(({ anchor, title }) => ({ depth: 3, slug: anchor, text: title })),
          ),
        ]),
    ...(page.rules.length > 0 ? [top('rules', 'Rules between fields')] : []),
    ...page.successes.map(({ anchor, status }) => top(anchor, `Answer ${status}`)),
    top('errors', 'Errors'),
    ...page.refusals.map(({ anchor, status, name }) => ({
      depth: 3,
      slug: anchor,
      text: `${status} ${name}`,
    })),
  ];
}
