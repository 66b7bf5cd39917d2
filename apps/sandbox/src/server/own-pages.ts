import type { IncomingMessage, ServerResponse } from 'node:http';
import { type OriginPolicy, Refusal } from '@speech-api/wire';
import { version } from '../version.ts';
import { sendJson } from './send-json.ts';

type Page = (response: ServerResponse, host: string) => void;

/** Pages of the sandbox itself, outside the paths of the interface. */
const pages: Readonly<Record<string, Page>> = {
  '/': (response, host) => {
    const lines = [
      `Speech sandbox ${version}`,
      '',
      'Try:',
      `  curl http://${host}/v1/tts -H 'authorization: Bearer sandbox-key' -H 'model: s2-pro' \\`,
      `    -H 'content-type: application/json' -d '{"text":"Hello."}' --output hello.mp3`,
      '',
      'Health: /__sandbox/health',
      '',
    ];
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(lines.join('\n'));
  },
  '/__sandbox/health': (response) => {
    sendJson(response, 200, { status: 'ok', service: 'speech-sandbox', version });
  },
};

/**
 * Answers the sandbox's own pages.
 *
 * @returns whether the request was for one of them
 * @throws Refusal `foreign-host`, or `foreign-origin`: these pages are for the sandbox's own origin, not even for other loopback ones
 */
export function answerOwnPage(
  origins: OriginPolicy,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const path = (request.url ?? '').split('?')[0] ?? '';
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (page === undefined || request.method !== 'GET') return false;
  origins.checkHost(request.headers.host);
  const host = request.headers.host ?? '';
  const { origin, 'sec-fetch-site': site } = request.headers;
  const foreignOrigin = origin !== undefined && origin !== `http://${host}`;
  if (foreignOrigin || site === 'cross-site' || site === 'same-site') {
    throw new Refusal('foreign-origin', {
      message: "The sandbox's own pages take requests of its own origin only.",
    });
  }
  page(response, host);
  return true;
}
