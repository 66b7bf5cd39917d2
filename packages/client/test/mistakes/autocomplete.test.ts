import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

// What an editor offers, asked of the compiler's own language server as an editor asks.

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const uri = pathToFileURL(join(import.meta.dirname, 'autocomplete.ts')).href;
const beginning = `import { createSpeechClient } from '../../src/index.ts';\nconst client = createSpeechClient();\n`;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
}

/** The language server, with the messages of its protocol. */
class Server {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  #read = Buffer.alloc(0);
  #id = 0;

  constructor() {
    this.#child = spawn(process.execPath, [compiler, '--lsp', '--stdio'], { cwd: import.meta.dirname });
    this.#child.stdout.on('data', (piece: Buffer) => this.#receive(piece));
  }

  ask(method: string, params: object): Promise<unknown> {
    this.#id += 1;
    const id = this.#id;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.tell({ id, method, params });
    });
  }

  tell(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  end(): void {
    this.#child.kill();
  }

  #receive(piece: Buffer): void {
    this.#read = Buffer.concat([this.#read, piece]);
    for (;;) {
      const end = this.#read.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/i.exec(this.#read.subarray(0, end).toString())?.[1]);
      if (end < 0 || this.#read.length < end + 4 + length) return;
      const message: Message = JSON.parse(this.#read.subarray(end + 4, end + 4 + length).toString());
      this.#read = this.#read.subarray(end + 4 + length);
      // What the server itself asks, about the editor's settings, has no answer here.
      if (message.method !== undefined && message.id !== undefined)
        this.tell({ id: message.id, result: null });
      else if (message.id !== undefined) this.#waiting.get(message.id)?.(message.result);
    }
  }
}

/** What is offered where the code has `|`: values, and names of fields. */
async function offersOf(server: Server, code: string, version: number): Promise<string[]> {
  const [before = '', after = ''] = code.split('|');
  const text = beginning + before + after;
  if (version === 1) {
    const textDocument = { uri, languageId: 'typescript', version, text };
    server.tell({ method: 'textDocument/didOpen', params: { textDocument } });
  } else {
    const params = { textDocument: { uri, version }, contentChanges: [{ text }] };
    server.tell({ method: 'textDocument/didChange', params });
  }
  const position = { line: 2, character: before.length };
  const result = await server.ask('textDocument/completion', { textDocument: { uri }, position });
  const { items = [] } = (result ?? {}) as { items?: { label: string }[] };
  return items.map(({ label }) => label);
}

const cases = [
  ["{ text: 'Hi.', format: 'wav', sample_rate: | }", ['8000', '16000', '24000', '32000', '44100']],
  ["{ text: 'Hi.', format: 'pcm', sample_rate: | }", ['8000', '16000', '24000', '32000', '44100']],
  ["{ text: 'Hi.', format: 'opus', sample_rate: | }", ['48000']],
  ["{ text: 'Hi.', format: 'mp3', sample_rate: | }", ['32000', '44100']],
  // Of no format, those of mp3, which is the default.
  ["{ text: 'Hi.', sample_rate: | }", ['32000', '44100']],
  ["{ text: 'Hi.', sample_rate: |, format: 'opus' }", ['48000']],
] as const;

test('of the sample rates an editor offers those of the format, and no others', async () => {
  const server = new Server();
  onTestFinished(() => server.end());
  await server.ask('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
  server.tell({ method: 'initialized', params: {} });
  for (const [index, [request, rates]] of cases.entries()) {
    const offers = await offersOf(server, `void client.speech.create(${request});`, index + 1);
    expect(offers.filter((label) => /^\d+$/.test(label)).map(Number)).toEqual(rates.map(Number));
  }
}, 60_000);
