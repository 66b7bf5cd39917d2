import { glob, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { select, selectAll } from 'hast-util-select';
import { toString as textOf } from 'hast-util-to-string';
import rehypeParse from 'rehype-parse';
import rehypeRemark from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { pageList } from '../navigation/sections.ts';
import { textPath } from './text-path.ts';

/** Files for programs and agents that `llms.txt` lists after the pages. */
const listedFiles = [
  ...[
    'openapi.yaml',
    'openapi.json',
    'openapi-3.1.yaml',
    'openapi-3.1.json',
    'asyncapi.yaml',
    'asyncapi.json',
  ],
  ...['skills/speech-api-client.md', 'skills/speech-api-contract.md', 'llms-full.txt'],
];

/** Writes each page as Markdown beside its HTML, a list of the pages as `llms.txt`, and all of them as `llms-full.txt`. */
export function siteTexts(title: string, description: string): AstroIntegration {
  let base = '/';
  return {
    name: 'site-texts',
    hooks: {
      'astro:config:done': ({ config }) => {
        base = config.base.replace(/\/*$/, '/');
      },
      'astro:build:done': async ({ dir }) => {
        const directory = fileURLToPath(dir);
        const pages = new Map<string, Awaited<ReturnType<typeof readPage>>>();
        for await (const file of glob('**/*.html', { cwd: directory })) {
          const path = base + file.replaceAll('\\', '/').replace(/(^|\/)index\.html$/, '$1');
          const page = await readPage(await readFile(directory + file, 'utf8'), path, base);
          if (page === undefined) continue;
          pages.set(path, page);
          await writeFile(directory + textPath(path, base).slice(base.length), page.markdown);
        }
        // https://llmstxt.org
        const head = `# ${title}\n\n> ${description}\n`;
        const list = [head];
        const all = [head];
        const files = [...listedFiles];
        for (const { label, paths } of pageList) {
          const part: string[] = [];
          list.push(`\n## ${label}\n\n`);
          for (const path of paths.map((path) => base + path.slice(1))) {
            const page = pages.get(path);
            if (page === undefined) continue;
            list.push(`- [${page.title}](${textPath(path, base)}): ${page.description}\n`);
            // The search of @speech-api/mcp finds the start of a page by its address.
            part.push(`\n---\n\n<!-- ${path} -->\n\n${page.markdown}`);
          }
          const file = `llms-${label.toLowerCase()}.txt`;
          await writeFile(directory + file, [head, ...part].join(''));
          files.push(file);
          all.push(...part);
        }
        list.push('\n## Files\n\n', ...files.map((file) => `- [${file}](${base}${file})\n`));
        await writeFile(`${directory}llms.txt`, list.join(''));
        await writeFile(`${directory}llms-full.txt`, all.join(''));
      },
    },
  };
}

const parser = unified().use(rehypeParse);
const writer = unified().use(rehypeRemark).use(remarkGfm).use(remarkStringify, { bullet: '-', rule: '-' });

/** Elements that a reader presses or only sees. */
const controls =
  'button, audio, input, select, textarea, label, [role=tablist], [data-no-text], .sr-only, .sl-anchor-link';

/** A built page as text, or undefined if the search leaves it out, such as the page for wrong addresses. */
async function readPage(html: string, path: string, base: string) {
  // Without the sidebar, which every page repeats, a page is parsed in a fraction of the time.
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
  const root = parser.parse(`${html.slice(0, html.indexOf('</head>'))}</head><body>${main}`);
  const content = select('main[data-pagefind-body] .sl-markdown-content', root);
  if (content === undefined) return undefined;
  // The start page refers to the program beside its title.
  const program = select('main .first', root);
  if (program) content.children.unshift(program);
  // Templates are left out of the Markdown.
  for (const control of selectAll(controls, content)) control.tagName = 'template';
  // Headings in a summary stay headings.
  for (const summary of selectAll('summary', content)) summary.tagName = 'div';
  for (const link of selectAll('a', content)) {
    const origin = 'http://site.invalid';
    const target = new URL(String(link.properties.href ?? ''), origin + path);
    if (target.origin !== origin) continue;
    // The Markdown has no anchors to link to.
    if (target.pathname === path) link.tagName = 'span';
    else link.properties.href = textPath(target.pathname, base) + target.hash;
  }
  // A program says for what it is: in the page, its tab does.
  for (const panel of selectAll('[role=tabpanel]', content)) {
    const tab = select(`[id="${String(panel.properties.ariaLabelledBy)}"]`, root);
    const value = `${tab ? textOf(tab).trim() : ''}:`;
    panel.children.unshift({
      type: 'element',
      tagName: 'p',
      properties: {},
      children: [{ type: 'text', value }],
    });
  }
  for (const block of selectAll('pre[data-language]', content)) {
    const lines = selectAll('.ec-line', block).map((line) => textOf(line).trimEnd());
    const properties = { className: [`language-${block.properties.dataLanguage}`] };
    const children = [{ type: 'text' as const, value: lines.join('\n') }];
    block.children = [{ type: 'element', tagName: 'code', properties, children }];
  }
  const heading = select('h1', root);
  const title = heading ? textOf(heading).trim() : '';
  const description = String(select('meta[name=description]', root)?.properties.content ?? '');
  const text = writer.stringify(await writer.run({ type: 'root', children: [content] }));
  return { title, description, markdown: `# ${title}\n\n${description}\n\n${text}` };
}
