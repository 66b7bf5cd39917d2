import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

// Completions that an editor offers, requested from the compiler's own language server as an editor does.

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const beginning = `import { createSpeechClient } from '../../src/index.ts';\nconst client = createSpeechClient();\n`;

const cases = [
  ["{ text: 'Hi.', format: 'wav', sample_rate: | }", ['8000', '16000', '24000', '32000', '44100']],
  ["{ text: 'Hi.', format: 'opus', sample_rate: | }", ['48000']],
  // Of no format, those of mp3, which is the default.
  ["{ text: 'Hi.', sample_rate: | }", ['32000', '44100']],
  ["{ text: 'Hi.', sample_rate: |, format: 'opus' }", ['48000']],
] as const;

test('of the sample rates an editor offers those of the format, and no others', async () => {
  const server = spawn(process.execPath, [compiler, '--lsp', '--stdio'], { cwd: import.meta.dirname });
  const tell = (message: object): void => {
    const json = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`);
  };
  const ask = (id: number, request: string): void => {
    const [before = '', after = ''] = `void client.speech.create(${request});`.split('|');
    const uri = pathToFileURL(join(import.meta.dirname, `autocomplete-${id}.ts`)).href;
    const document = { uri, languageId: 'typescript', version: 1, text: beginning + before + after };
    tell({ method: 'textDocument/didOpen', params: { textDocument: document } });
    const position = { line: 2, character: before.length };
    tell({ id, method: 'textDocument/completion', params: { textDocument: { uri }, position } });
  };
  tell({ id: -1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } });
  const offers = new Map<number, string[]>();
  let read = Buffer.alloc(0);
  for await (const piece of server.stdout) {
    read = Buffer.concat([read, piece]);
    for (;;) {
      const end = read.indexOf('\r\n\r\n') + 4;
      const length = Number(/Content-Length: (\d+)/i.exec(read.subarray(0, end).toString())?.[1]);
      if (end < 4 || read.length < end + length) break;
      const { id, method, result } = JSON.parse(read.subarray(end, end + length).toString());
      read = read.subarray(end + length);
      // Requests from the server, about the editor's settings, get an empty answer here.
      if (method !== undefined) id !== undefined && tell({ id, result: null });
      else if (id >= 0)
        offers.set(
          id,
          (result as { items: { label: string }[] }).items.map(({ label }) => label),
        );
      else {
        tell({ method: 'initialized', params: {} });
        for (const [index, [request]] of cases.entries()) ask(index, request);
      }
    }
    if (offers.size === cases.length) break;
  }
  server.kill();
  for (const [id, [, rates]] of cases.entries()) {
    expect(
      offers
        .get(id)
        ?.filter((label) => /^\d+$/.test(label))
        .toSorted(),
    ).toEqual([...rates].sort());
  }
}, 60_000);
