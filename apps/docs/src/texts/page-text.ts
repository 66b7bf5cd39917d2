import type { Element, ElementContent, Nodes, Root } from 'hast';
import rehypeParse from 'rehype-parse';
import rehypeRemark from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';

/** The elements below a node, in the order of the document. */
function* elementsOf(node: Nodes): Generator<Element> {
  if (!('children' in node)) return;
  for (const child of node.children) {
    if (child.type === 'element') yield child;
    yield* elementsOf(child);
  }
}

/** The first element below a node that has a class, or a tag in angle brackets. */
function find(node: Nodes, what: string): Element | undefined {
  for (const element of elementsOf(node)) if (is(element, what)) return element;
  return undefined;
}

/** Whether an element has a class (`.field`) or a tag (`details`). */
function is(element: Element, what: string): boolean {
  if (!what.startsWith('.')) return element.tagName === what;
  const { className } = element.properties;
  return Array.isArray(className) && className.includes(what.slice(1));
}

function textOf(node: Nodes | Root): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

function lineOf(node: Nodes): string {
  return textOf(node).replaceAll(/\s+/g, ' ').trim();
}

/** A page of the built site as text. */
export interface PageText {
  /** Address within the site, such as `/guides/speech/`. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** Label of its part of the site. */
  readonly section: string;
  /** The whole page as Markdown, its title included. */
  readonly markdown: string;
}

const parser = unified().use(rehypeParse);
const writer = unified()
  .use(rehypeRemark, {
    handlers: {
      pre: (_state: unknown, node: Element) => ({
        type: 'code' as const,
        lang: String(node.properties.dataLanguage ?? ''),
        value: codeOf(node),
      }),
    },
  })
  .use(remarkGfm)
  .use(remarkStringify, { bullet: '-', rule: '-' });

/**
 * Reads a built page. Undefined where it has no content of its own, such as the page for addresses that lead nowhere.
 *
 * @param path its address within the site
 * @param base the path the site is served under, with its trailing slash
 */
export async function readPageText(html: string, path: string, base: string): Promise<PageText | undefined> {
  const root = parser.parse(html);
  const main = find(root, 'main');
  const content = main && find(main, '.sl-markdown-content');
  if (main === undefined || content === undefined || main.properties.dataPagefindBody === undefined)
    return undefined;
  const title = headingOf(main);
  const description = descriptionOf(root);
  const over = find(main, '.over');
  // The start page refers to the code beside its title.
  const code = find(main, '.first');
  if (code !== undefined) content.children.unshift(code);
  shortenMarks(content);
  const tree: Root = {
    type: 'root',
    children: [simplify(content, `${base.replace(/\/$/, '')}${path}`, base)].flat(),
  };
  const markdown = writer.stringify(await writer.run(tree));
  const lede = description === '' ? '' : `${description}\n\n`;
  return {
    path,
    title,
    description,
    section: path === '/' ? 'Start' : over === undefined ? title : lineOf(over),
    markdown: `# ${title}\n\n${lede}${markdown}`,
  };
}

/**
 * Keeps the text of a mark where it comes first on a page; later ones only name its entry in the register.
 */
function shortenMarks(content: Element): void {
  const known = new Set<string>();
  for (const mark of elementsOf(content)) {
    if (!is(mark, '.mark')) continue;
    for (const line of elementsOf(mark)) {
      if (line.tagName !== 'p') continue;
      const link = find(line, 'a');
      const [source] = line.children;
      const entry = String(link?.properties.href);
      if (link && source && known.has(entry)) line.children = [source, space, link];
      known.add(entry);
    }
  }
}

function headingOf(main: Element): string {
  const heading = find(main, 'h1');
  return heading === undefined ? '' : lineOf(heading);
}

function descriptionOf(root: Root): string {
  for (const element of elementsOf(root)) {
    if (element.tagName === 'meta' && element.properties.name === 'description')
      return String(element.properties.content ?? '');
  }
  return '';
}

/** Purely visual or interactive elements. */
const skipped = new Set(
  'script style link svg audio button textarea select input label dialog template canvas'.split(' '),
);

/** The content as a text has it: no controls, tabs one after the other, links to the texts of pages. */
function simplify(element: Element, here: string, base: string): ElementContent | ElementContent[] {
  const children = (): ElementContent[] =>
    element.children.flatMap((child) => (child.type === 'element' ? simplify(child, here, base) : [child]));
  const paragraph = (content: ElementContent[]): Element => ({
    type: 'element',
    tagName: 'p',
    properties: {},
    children: content,
  });
  if (
    skipped.has(element.tagName) ||
    is(element, '.sl-anchor-link') ||
    is(element, '.sr-only') ||
    is(element, '.mark-reason') ||
    element.properties.dataNoText !== undefined
  )
    return [];
  if (element.properties.role === 'tablist' || is(element, '.copy')) return [];
  if (element.tagName === 'pre' && element.properties.dataLanguage !== undefined) return element;
  if (element.properties.role === 'tabpanel') {
    const label = element.properties.dataLabel;
    return typeof label === 'string'
      ? [paragraph([{ type: 'text', value: `${label}:` }]), ...children()]
      : children();
  }
  // A mark becomes one paragraph, whether it is open or closed on the page.
  if (is(element, '.mark'))
    return paragraph(inlined(element).flatMap((child) => [simplify(child, here, base), space].flat()));
  // A table cell becomes one line: its parts follow each other instead of being stacked.
  if (element.tagName === 'td' || element.tagName === 'th')
    return { ...element, properties: {}, children: children().flatMap((child) => [inOneLine(child), space]) };
  if (element.tagName === 'summary') {
    const parts = children();
    const isHeading = (part: ElementContent) => part.type === 'element' && /^h[2-4]$/.test(part.tagName);
    const rest = parts.filter((part) => !isHeading(part));
    return parts.length === rest.length
      ? paragraph([...parts, { type: 'text', value: ':' }])
      : [...parts.filter(isHeading), paragraph(rest)];
  }
  if (element.tagName === 'details') return children();
  // An anchor without an address is a place to link to.
  if (element.tagName === 'a' && element.properties.href === undefined) return children();
  if (element.tagName === 'a') {
    const href = textAddress(String(element.properties.href ?? ''), here, base);
    // A text has no places: what leads to itself is a word.
    if (href.startsWith('#')) return children();
    return { ...element, properties: { href }, children: children() };
  }
  return { ...element, properties: {}, children: children() };
}

const space: ElementContent = { type: 'text', value: ' ' };

function inOneLine(node: ElementContent): ElementContent {
  if (node.type !== 'element') return node;
  const tagName = /^(?:p|div|section)$/.test(node.tagName) ? 'span' : node.tagName;
  return { ...node, tagName, children: node.children.map(inOneLine) };
}

/** The paragraphs of a mark as one line. Its reasons are in the register, which each of them links to. */
function inlined(mark: Element): Element[] {
  const paragraphs = mark.children.filter((child) => child.type === 'element' && child.tagName === 'p');
  return paragraphs.flatMap((child) =>
    child.type === 'element' ? [{ ...child, tagName: 'span', properties: {} }] : [],
  );
}

/** The address of the text of a page, where a link leads to a page of the site. */
function textAddress(href: string, here: string, base: string): string {
  const origin = 'http://site.invalid';
  const target = new URL(href, `${origin}${here}`);
  if (target.origin !== origin) return href;
  if (target.pathname === here && target.hash !== '') return target.hash;
  return `${textPath(target.pathname, base)}${target.hash}`;
}

/** The lines of a code block; the theme gives each an element, with its line break or without. */
function codeOf(block: Element): string {
  const lines = [...elementsOf(block)].filter((element) => is(element, '.ec-line'));
  if (lines.length === 0) return textOf(block).trimEnd();
  return lines.map((line) => textOf(line).replace(/\n$/, '')).join('\n');
}

/** The address of the text of a page: `/guides/speech.md` for `/guides/speech/`. */
export function textPath(path: string, base = '/'): string {
  if (path === base) return `${base}index.md`;
  return path.endsWith('/') ? `${path.slice(0, -1)}.md` : path;
}
