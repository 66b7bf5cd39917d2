import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createTickets, startRelay } from '@speech-api/relay';
import { closeServer, listenOnLoopback } from '@speech-api/run/servers';
import { defaultModel } from '@speech-api/types';
import { type BuildOptions, build } from 'esbuild';
import { onTestFinished } from 'vitest';

export async function bundleProgram(program: Pick<BuildOptions, 'entryPoints' | 'stdin'>): Promise<string> {
  const { outputFiles } = await build({
    ...program,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * Serves a page with nothing but a program, and the player's audio thread beside it, until the test ends.
 *
 * @param program asked when the page wants it, so that it may name the origin
 * @param others answers every other address
 * @returns the origin
 */
export async function servePage(program: () => string, others?: RequestListener): Promise<string> {
  const worklet = await readFile(
    fileURLToPath(import.meta.resolve('@speech-api/audio/player/worklet')),
    'utf8',
  );
  const server = createServer((request, response) => {
    const scripts: Readonly<Record<string, () => string>> = {
      '/program.js': program,
      '/worklet.js': () => worklet,
    };
    const script = scripts[request.url ?? '/'];
    if (script !== undefined) response.setHeader('content-type', 'text/javascript').end(script());
    else if (request.url !== '/' && others) others(request, response);
    else {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end('<!doctype html><body><script type="module" src="/program.js"></script>');
    }
  });
  const port = await listenOnLoopback(server, 0);
  onTestFinished(() => closeServer(server));
  return `http://127.0.0.1:${port}`;
}

/** A relay in front of a sandbox, for pages of one origin with a ticket, until the test ends. */
export async function startTicketRelay(sandboxUrl: string, origin: string) {
  const tickets = createTickets({ secret: randomBytes(32) });
  const relay = await startRelay({
    upstream: { webSocketUrl: sandboxUrl.replace(/^http/, 'ws'), apiKey: 'sandbox-key', model: defaultModel },
    origins: [origin],
    authorize: ({ ticket }) => (ticket === undefined ? undefined : tickets.redeem(ticket)),
    // A hundred interruptions take a hundred sockets.
    limits: { startsPerUserAndMinute: 1000, startsPerOriginAndMinute: 1000 },
  });
  onTestFinished(() => relay.close());
  return { url: relay.url.replace(/^http/, 'ws'), ticket: () => tickets.issue({ user: 'anna' }) };
}
