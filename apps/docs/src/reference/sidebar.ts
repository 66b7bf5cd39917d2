import { operations } from './operations.ts';

/** The pages that are generated from the specification, operations by their tags. */
export function referencePages() {
  const groups = Map.groupBy(operations, ({ tag }) => tag);
  return [
    { label: 'Overview', link: '/reference/' },
    ...[...groups].map(([label, pages]) => ({
      label,
      items: [
        ...pages.map(({ title, slug, method }) => ({
          label: title,
          link: `/reference/${slug}/`,
          badge: { text: method.toUpperCase(), class: `method ${method}` },
        })),
        ...(label === 'Live speech'
          ? [{ label: 'Messages of a live session', link: '/reference/live/' }]
          : []),
      ],
    })),
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
