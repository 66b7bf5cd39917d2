import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageOutcome } from './testing/recordings-page.ts';
import { useBrowser } from './testing/use-browser.ts';

/** An m4a file whose table says that each chunk has four thousand million frames: its reader never comes to an end. */
const spinning = gunzipSync(
  Buffer.from(
    'H4sIAAAAAAACA92PQU4CQRBFXzcgLlwQgwkLFqPxBMgBMHHr0rhxM9AgE6YZMtWQaFz0HbyGx3DBTg/gIbzBEAYJAxgTt/z0T1dVV9evDzQH7mly274OQLO8I0lsJEkL9LdNkhkQ29nQsIW3G5iDys8GartrN+/wJzToF5eGI+DBjXLN6v60+b7Ev3R1w5ooBAJrfvd1954n50MTp+sXSabjXZUPG40HQE3s1qBLs6o3TdofFFY6maZxsIrVq7huDDyKE1PoubeTdrhnQ1Fbrwdc9cXIMih57y9QlL339c4ZlKHSXbLivdenx0fee6WBhjgnhbGtvBea4qRXqKssy7Kf+EucPBdstVh9OgTWxfWSje9SHfi0JnSqEVQPgQunXgJt3AMAAA==',
    'base64',
  ),
);

describe('recordings in Chromium', () => {
  const browser = useBrowser();
  let server: Server;
  let url = '';
  beforeAll(async () => {
    const files = await bundle();
    server = createServer((request, response) => {
      const file = files.get((request.url ?? '').slice(1));
      const type = file === undefined ? 'text/html' : 'text/javascript';
      response.setHeader('content-type', type);
      response.end(
        file ?? '<!doctype html><title>Recordings</title><script type="module" src="page.js"></script>',
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => server.close().closeAllConnections());

  test('a file that never comes to an end is given up, and the page is free meanwhile', async () => {
    const page = await browser.open();
    await page.goto(url);
    await page.waitForFunction('cutFile');
    const outcome = await page.evaluate<PageOutcome>(`cutFile(${JSON.stringify([...spinning])}, 3000)`);
    expect(outcome).toMatchObject({
      kind: 'too-slow',
      error: expect.stringMatching(/this mp4 file.*ffmpeg/),
    });
    expect(outcome.ticks).toBeGreaterThan(10);
  });
});

/** The page and its worker beside it, as a bundler makes them. */
async function bundle(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    entryPoints: {
      page: fileURLToPath(new URL('testing/recordings-page.ts', import.meta.url)),
      worker: fileURLToPath(import.meta.resolve('@speech-api/recordings/browser-worker')),
    },
    outdir: 'bundle',
    bundle: true,
    format: 'esm',
    // A WebAssembly module asks for it where there is Node.
    external: ['node:module'],
    logLevel: 'error',
    write: false,
  });
  return new Map(outputFiles.map(({ path, text: code }) => [path.split(/[\\/]/).at(-1) ?? '', code]));
}
