import { expect, test } from 'vitest';
import { readPageText } from './page-text.ts';

function page(content: string): string {
  return `<!doctype html><html><head><meta name="description" content="How to speak."></head><body>
    <main data-pagefind-body><p class="over">Guides</p><h1>Speech</h1>
    <div class="sl-markdown-content">${content}</div></main></body></html>`;
}

async function markdown(content: string, base = '/'): Promise<string> {
  const text = await readPageText(page(content), '/guides/speech/', base);
  return text?.markdown.replace('# Speech\n\nHow to speak.\n\n', '') ?? '';
}

test('a page has its title, what it is about and its part of the site', async () => {
  const text = await readPageText(page('<p>Hello.</p>'), '/guides/speech/', '/');
  expect(text).toMatchObject({
    title: 'Speech',
    description: 'How to speak.',
    section: 'Guides',
    markdown: '# Speech\n\nHow to speak.\n\nHello.\n',
  });
});

test('a page that is not searched has no text', async () => {
  const html = page('<p>Nothing.</p>').replace(' data-pagefind-body', '');
  expect(await readPageText(html, '/404.html', '/')).toBeUndefined();
});

test('links lead to the texts of other pages, under the base, and anchors of the page itself are words', async () => {
  const content =
    '<a href="../errors/#notfounderror">404</a> <a href="#body">body</a> <a href="https://w3.org/x/">W3C</a>';
  expect(await markdown(content, '/docs/')).toBe(
    '[404](/docs/guides/errors.md#notfounderror) body [W3C](https://w3.org/x/)\n',
  );
});

test('code keeps its lines, empty ones too, and its language', async () => {
  const lines = ['const a = 1;', '', 'speak(a);'].map(
    (line) => `<div class="ec-line"><div class="code">${line || '\n'}</div></div>`,
  );
  const block = `<div class="expressive-code"><pre data-language="ts"><code>${lines.join('')}</code></pre><div class="copy"><button>Copy</button></div></div>`;
  expect(await markdown(block)).toBe('```ts\nconst a = 1;\n\nspeak(a);\n```\n');
});

test('what opens is open, what is pressed is left out, and a mark is one remark', async () => {
  const content = `<details class="mark"><summary><span class="sr-only">Source</span></summary><p><strong>assumed</strong> It is so. <span class="mark-reason">Because.</span> <a href="/unknowns/#x">x</a></p></details>
    <details><summary>Body</summary><p>Inside.</p></details><button>Press</button><a class="sl-anchor-link" href="#a">#</a>`;
  expect(await markdown(content)).toBe('**assumed** It is so. [x](/unknowns.md#x)\n\nBody:\n\nInside.\n');
});

test('the code beside the title of the start page comes first, and remarks are apart', async () => {
  const remark = (name: string) => `<p><strong>${name}</strong> So.</p>`;
  const html = page(`<p>Above.</p><details class="mark">${remark('public')}${remark('assumed')}</details>`);
  const text = await readPageText(
    html.replace('<h1>', '<div class="first"><p>Code.</p></div><h1>'),
    '/',
    '/',
  );
  expect(text?.markdown).toContain('Code.\n\nAbove.\n\n**public** So. **assumed** So.\n');
});

test('says once a page what a mark says', async () => {
  const mark = `<details class="mark"><p><strong>assumed</strong> It is so. <a href="/unknowns/#x">x</a></p></details>`;
  expect(await markdown(`${mark}<p>Then:</p>${mark}`)).toBe(
    '**assumed** It is so. [x](/unknowns.md#x)\n\nThen:\n\n**assumed** [x](/unknowns.md#x)\n',
  );
});
