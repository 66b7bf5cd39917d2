import { readSpecification } from './model/document.ts';
import { describeOperations } from './model/operations.ts';

/** The specification the site is built from, read once. */
export const specification = await readSpecification();

/** The pages of its operations, in the order of the document. */
export const operations = describeOperations(specification);

export interface SidebarLink {
  readonly label: string;
  readonly link: string;
  readonly badge?: { readonly text: string; readonly class: string };
}

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
