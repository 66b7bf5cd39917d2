import { globSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The groups of guides, by what a reader wants to do. */
const groupNames = ['Speak', 'Play and stream', 'Listen', 'Develop and test', 'Run and look after'];

/** What a guide says of itself in its front matter. Those without a group come before the groups. */
interface Guide {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly group?: string;
  readonly place: number;
}

/** All guides, in order. The menu, the overview and `llms.txt` are made from this. */
export const guides: readonly Guide[] = globSync('src/content/docs/guides/*.mdx')
  .map(readGuide)
  .sort((left, right) => left.place - right.place);

export const guideGroups = groupNames.map((label) => ({
  label,
  guides: guides.filter(({ group }) => group === label),
}));

function readGuide(file: string): Guide {
  const [, frontMatter = ''] = readFileSync(file, 'utf8').split(/^---$/m);
  const { group, place, ...guide } = parse(frontMatter);
  if (typeof place !== 'number' || (group !== undefined && !groupNames.includes(group)))
    throw new Error(
      `${file} needs "place", a number, and "group", one of ${groupNames.join(', ')}, in its front matter.`,
    );
  const slug = file.replaceAll('\\', '/').replace(/^src\/content\/docs\/|(\/index)?\.mdx$/g, '');
  return { ...guide, slug, group, place };
}
