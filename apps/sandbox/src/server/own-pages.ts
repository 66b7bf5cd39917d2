import type { IncomingMessage, ServerResponse } from 'node:http';
import { type OriginPolicy, Refusal } from '@speech-api/wire';
import type { Recall } from '../recall/recall.ts';
import type { State } from '../state/state.ts';
import type { Uploads } from '../uploads/index.ts';
import { version } from '../version.ts';
import { answerFixture } from './fixture-page.ts';
import { sendJson } from './send-json.ts';

/** What the pages work with. */
interface PageContext {
  readonly state: State;
  readonly uploads: Uploads;
  readonly recall: Recall;
}

type Page = (
  response: ServerResponse,
  host: string,
  request: IncomingMessage,
  context: PageContext,
) => void | Promise<void>;

/** Pages of the sandbox itself, outside the paths of the interface, by method and path. */
const pages: Readonly<Record<string, Page>> = {
  'GET /': (response, host) => {
    const lines = [
      `Speech sandbox ${version}`,
      '',
      'Try:',
      `  curl http://${host}/v1/tts -H 'authorization: Bearer sandbox-key' -H 'model: s2-pro' \\`,
      `    -H 'content-type: application/json' -d '{"text":"Hello."}' --output hello.mp3`,
      '',
      'Health: GET /__sandbox/health',
      'All as at the start: POST /__sandbox/reset',
      '',
    ];
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(lines.join('\n'));
  },
  'GET /__sandbox/health': (response) => {
    sendJson(response, 200, { status: 'ok', service: 'speech-sandbox', version });
  },
  'POST /__sandbox/fixtures': (response, _host, request, context) =>
    answerFixture(context, request, response),
  'POST /__sandbox/reset': async (response, _host, _request, { state, recall }) => {
    await state.reset();
    recall.reset();
    response.writeHead(204).end();
  },
};

/**
 * Answers the sandbox's own pages.
 *
 * @returns whether the request was for one of them
 * @throws Refusal `foreign-host`, or `foreign-origin`: these pages are for the sandbox's own origin, not even for other loopback ones
 */
export async function answerOwnPage(
  context: PageContext & { readonly origins: OriginPolicy },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const name = `${request.method} ${(request.url ?? '').split('?')[0]}`;
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
  if (page === undefined) return false;
  context.origins.checkHost(request.headers.host);
  const host = request.headers.host ?? '';
  const { origin, 'sec-fetch-site': site } = request.headers;
  const foreignOrigin = origin !== undefined && origin !== `http://${host}`;
  if (foreignOrigin || site === 'cross-site' || site === 'same-site') {
    throw new Refusal('foreign-origin', {
      message: "The sandbox's own pages take requests of its own origin only.",
    });
  }
  await page(response, host, request, context);
  return true;
}
