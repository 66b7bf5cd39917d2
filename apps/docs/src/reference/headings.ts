import { select, selectAll } from 'hast-util-select';
import { toString as textOf } from 'hast-util-to-string';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';

const parser = unified().use(rehypeParse, { fragment: true });

/** The headings of HTML that the list "On this page" names, each by its link's words where it is a link itself. */
export function headingsIn(html: string) {
  return selectAll('h2[id], h3[id]', parser.parse(html)).map((heading) => ({
    depth: Number(heading.tagName.slice(1)),
    slug: String(heading.properties.id),
    text: textOf(select('a', heading) ?? heading)
      .replaceAll(/\s+/g, ' ')
      .trim(),
  }));
}
