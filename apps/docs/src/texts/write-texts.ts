import { glob, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { type PageText, readPageText, textPath } from './page-text.ts';

/** Description of the site for readers who see nothing else of it. */
export interface SiteWords {
  readonly title: string;
  readonly description: string;
  /** The pages of the site in the order they are read, by address below the base. */
  readonly order: readonly string[];
}

/**
 * Writes what is made of finished pages: each as Markdown beside it, `llms.txt` and `llms-full.txt`.
 */
export function siteTexts(words: SiteWords): AstroIntegration {
  let base = '/';
  return {
    name: 'site-texts',
    hooks: {
      'astro:config:done': ({ config }) => {
        base = config.base.replace(/\/*$/, '/');
      },
      'astro:build:done': async ({ dir, logger }) => {
        const directory = fileURLToPath(dir);
        const pages = await readPages(directory, base);
        await Promise.all(
          pages.map((page) => writeFile(`${directory}${textPath(page.path)}`, page.markdown)),
        );
        const listed = inOrder(pages, words.order);
        await writeFile(`${directory}llms.txt`, shortText(words, listed, base));
        await writeFile(`${directory}llms-full.txt`, fullText(words, listed));
        logger.info(`wrote the text of ${pages.length} pages`);
      },
    },
  };
}

async function readPages(directory: string, base: string): Promise<readonly PageText[]> {
  const pages: PageText[] = [];
  for await (const file of glob('**/*.html', { cwd: directory })) {
    const path = `/${file.replaceAll('\\', '/').replace(/(^|\/)index\.html$/, '$1')}`;
    const page = await readPageText(await readFile(`${directory}${file}`, 'utf8'), path, base);
    if (page !== undefined) pages.push(page);
  }
  return pages.sort((left, right) => left.path.localeCompare(right.path, 'en'));
}

/** The pages that are listed, in the order of the list. */
function inOrder(pages: readonly PageText[], order: readonly string[]): readonly PageText[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  return order.flatMap((path) => byPath.get(path) ?? []);
}

/** A list of pages for a language model: https://llmstxt.org. */
function shortText({ title, description }: SiteWords, pages: readonly PageText[], base: string): string {
  const sections = new Map<string, string[]>();
  for (const page of pages) {
    const line = `- [${page.title}](${base}${textPath(page.path).slice(1)}): ${page.description}`;
    sections.set(page.section, [...(sections.get(page.section) ?? []), line]);
  }
  const lists = [...sections].map(([section, lines]) => `## ${section}\n\n${lines.join('\n')}\n`);
  const files = ['openapi.yaml', 'openapi-3.1.yaml', 'asyncapi.yaml', 'llms-full.txt'];
  const links = files.map((file) => `- [${file}](${base}${file})`).join('\n');
  return `# ${title}\n\n> ${description}\n\n${lists.join('\n')}\n## Files\n\n${links}\n`;
}

/** Every listed page, one after the other. */
function fullText({ title, description }: SiteWords, pages: readonly PageText[]): string {
  const texts = pages.map(({ markdown, path }) => `<!-- ${path} -->\n\n${markdown.trim()}\n`);
  return `# ${title}\n\n> ${description}\n\n${texts.join('\n---\n\n')}`;
}
