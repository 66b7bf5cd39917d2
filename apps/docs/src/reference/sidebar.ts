import { readSpecification } from './model/document.ts';
import { groupFields } from './model/field-groups.ts';
import { describeOperations, type OperationPage } from './model/operations.ts';

/** The specification the site is built from, read once. */
export const specification = await readSpecification();

/** The pages of its operations, in the order of the document. */
export const operations = describeOperations(specification);

/** A link of the list of pages. */
export interface SidebarLink {
  readonly label: string;
  readonly link: string;
  readonly badge?: { readonly text: string; readonly class: string };
}

/** A group of the list of pages. */
export interface SidebarGroup {
  readonly label: string;
  readonly collapsed?: boolean;
  readonly items: (SidebarLink | SidebarGroup)[];
}

/** The pages that are generated from the specification, operations by their tags. */
export async function referencePages(): Promise<(SidebarLink | SidebarGroup)[]> {
  const groups = new Map<string, SidebarLink[]>();
  for (const { tag, title, slug, method } of describeOperations(await readSpecification())) {
    const badge = { text: method.toUpperCase(), class: `method ${method}` };
    groups.set(tag, [...(groups.get(tag) ?? []), { label: title, link: `/reference/${slug}/`, badge }]);
    if (tag === 'Live speech')
      groups.get(tag)?.push({ label: 'Messages of a live session', link: '/reference/live/' });
  }
  return [
    { label: 'Overview', link: '/reference/' },
    ...[...groups].map(([label, items]) => ({ label, items })),
    {
      label: 'For every call',
      items: [
        { label: 'Schemas', link: '/reference/schemas/' },
        { label: 'Rules', link: '/reference/rules/' },
        { label: 'Limits and formats', link: '/reference/limits/' },
        { label: 'Errors', link: '/errors/' },
      ],
    },
  ];
}

/** A line of the list "On this page". */
export interface Heading {
  readonly depth: number;
  readonly slug: string;
  readonly text: string;
}

/** The headings of the page of an operation. */
export function headingsOf(page: OperationPage): Heading[] {
  const top = (slug: string, text: string): Heading => ({ depth: 2, slug, text });
  // As the page has them: headers come after the body.
  const places = (isHeaders: boolean): Heading[] =>
    page.parameters
      .filter(({ place }) => (place === 'Headers') === isHeaders)
      .map(({ place }) => top(place.toLowerCase(), place));
  return [
    ...places(false),
    ...(page.body === undefined
      ? []
      : [
          top('body', 'Body'),
          ...page.body.contents.flatMap(({ shape }) => {
            const [first, ...others] = groupFields(shape.fields, 'body');
            return [...(first ? [first] : []), ...shape.choices, ...others].map(({ anchor, title }) => ({
              depth: 3,
              slug: anchor,
              text: title,
            }));
          }),
        ]),
    ...places(true),
    ...(page.rules.length > 0 ? [top('rules', 'Rules between fields')] : []),
    ...page.successes.map(({ anchor, status }) => top(anchor, `Response ${status}`)),
    top('errors', 'Errors'),
    ...page.refusals.map(({ anchor, status, name }) => ({
      depth: 3,
      slug: anchor,
      text: `${status} ${name}`,
    })),
  ];
}
