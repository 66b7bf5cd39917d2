import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { decode } from '@msgpack/msgpack';
import { closeServer, listenOnLoopback } from '@speech-api/run/servers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copiesOf, openOperation, pressRun } from './testing/run.ts';
import { useBrowser } from './testing/use-browser.ts';

/** The parts of a request that a service reads. */
interface Reading {
  readonly method: string | undefined;
  readonly path: string;
  readonly query: readonly string[];
  readonly model: unknown;
  readonly isPacked: boolean;
  readonly body: unknown;
}

/** Requests as a reader edits them: fields of the page, by their selectors. The client always names the number of a page. */
const edits: readonly (readonly [name: string, operation: string, fields: Record<string, string>])[] = [
  [
    'a text with the characters of three languages',
    'createSpeech',
    { '[data-json]': JSON.stringify({ text: 'It\'s "bread" \\ $HOME `x` {y} \n€ 😀 %s', format: 'wav' }) },
  ],
  [
    'values of every type',
    'createSpeech',
    {
      '[data-json]':
        '{"text":"a","reference_id":null,"normalize":false,"temperature":0.5,"prosody":{"speed":1.25,"volume":-3},"references":[],"chunk_length":150}',
      '[data-header="model"]': 's1',
    },
  ],
  [
    'lines',
    'streamSpeechWithTimestamps',
    { '[data-json]': '{\n  "text": "One.\\n\\nTwo.",\n  "format": "opus"\n}' },
  ],
  [
    'a query',
    'listModels',
    { '[data-path]': '/model?page_number=2&page_size=3&title=a%20b%26c&tag=x&tag=y&self=true' },
  ],
  ['a query of one value', 'listModels', { '[data-path]': '/model?page_number=1&language=de' }],
  ['an id', 'getModel', { '[data-path]': "/model/sandbox%20x'y" }],
  [
    'an id and a body',
    'updateModel',
    { '[data-path]': '/model/ann', '[data-json]': '{"title":"Ann\'s","tags":[]}' },
  ],
  ['an id to delete', 'deleteModel', { '[data-path]': '/model/00ff' }],
  [
    'a form',
    'createModel',
    { '[data-part="title"]': '@home;type="x" $1', '[data-part="texts"]': "It's <me" },
  ],
  ['a recording', 'createTranscription', {}],
  [
    'MessagePack',
    'createSpeech',
    {
      '[data-json]': '{"text":"It\'s packed.","temperature":0.5}',
      '[data-header="Content-Type"]': 'application/msgpack',
    },
  ],
];

const programs = { TypeScript: ['node', '-e'], curl: ['bash', '-c'], Python: ['python3', '-c'] } as const;

describe('the samples of an edited request', () => {
  const browser = useBrowser();
  const readings: Reading[] = [];
  const service = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-methods', '*');
    response.setHeader(
      'access-control-allow-headers',
      request.headers['access-control-request-headers'] ?? '*',
    );
    const { method, url = '/', headers } = request;
    if (method !== 'OPTIONS') {
      const { pathname, searchParams } = new URL(url, 'http://localhost');
      const bytes = Buffer.concat(await request.toArray());
      readings.push({
        method,
        path: decodeURIComponent(pathname),
        query: [...searchParams].map((pair) => pair.join('=')).sort(),
        model: headers.model,
        isPacked: headers['content-type'] === 'application/msgpack',
        body: await readBody(bytes, headers['content-type'] ?? ''),
      });
    }
    response.setHeader('content-type', 'application/json').end('{}');
  });
  let url = '';
  let folder = '';
  beforeAll(async () => {
    url = `http://127.0.0.1:${await listenOnLoopback(service, 0)}`;
    // Within this package, so that its programs have the client.
    folder = mkdtempSync(fileURLToPath(new URL('../out/samples-', import.meta.url)));
    for (const name of ['sample.wav', 'recording.mp3', 'recording.wav'])
      writeFileSync(`${folder}/${name}`, 'sound');
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await closeServer(service);
  });

  test.each(edits)('send what Run sends: %s', async (_name, operation, fields) => {
    browser.site.sandboxUrl = url;
    const page = await openOperation(browser, operation);
    await page.locator('.run-connection summary').click();
    for (const [selector, text] of Object.entries(fields)) {
      const field = page.locator(`.run ${selector}`);
      if (selector.includes('Content-Type')) await field.selectOption(text);
      else await field.fill(text);
    }
    for (const file of await page.locator('.run [data-file]').all())
      await file.setInputFiles(`${folder}/sample.wav`);
    readings.length = 0;
    await pressRun(page);
    const [sent, ...more] = readings.splice(0);
    expect(more).toEqual([]);
    expect(sent).toBeDefined();
    const { '[data-json]': json, '[data-path]': path = sent?.path ?? '' } = fields;
    if (json !== undefined) expect(sent?.body).toEqual(JSON.parse(json));
    expect(sent?.path).toBe(decodeURIComponent(path.split('?')[0] ?? ''));
    const copies = await copiesOf(page);
    expect(copies).toHaveLength(3);
    for (const [index, [language, [program, option]]] of Object.entries(programs).entries()) {
      const code = copies[index] ?? '';
      const args =
        language === 'TypeScript' ? ['--input-type=module-typescript', option, code] : [option, code];
      const printed = await start(program, args, folder, url);
      expect(readings.splice(0), `${language}\n${code}\n${printed}`).toEqual([
        // The client chooses the encoding itself.
        language === 'TypeScript' ? { ...sent, isPacked: expect.any(Boolean) } : sent,
      ]);
    }
  });
});

/** Runs a program. What it makes of the answer is its own: the service answers nothing of use. */
function start(program: string, args: readonly string[], cwd: string, url: string): Promise<string> {
  const env = { ...process.env, SPEECH_BASE_URL: url, SPEECH_API_KEY: 'sandbox-key' };
  return new Promise((resolve) =>
    execFile(program, args, { cwd, env, timeout: 20_000 }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    ),
  );
}

async function readBody(bytes: Buffer<ArrayBuffer>, type: string): Promise<unknown> {
  if (type.startsWith('application/json')) return JSON.parse(bytes.toString());
  if (type.startsWith('application/msgpack')) return decode(bytes);
  if (!type.startsWith('multipart/')) return bytes.toString();
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
  const parts = await Promise.all(
    [...form].map(async ([name, value]) => [
      name,
      typeof value === 'string' ? value : [value.name, await value.text()],
    ]),
  );
  return parts.sort(([a], [b]) => String(a).localeCompare(String(b)));
}
