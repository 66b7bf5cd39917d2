import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Exchange, Refusal, sendJson } from '@speech-api/server';
import { tryIt, version } from '../command-line.ts';
import type { Recall } from '../recall/recall.ts';
import type { RecentCalls } from '../recent-calls.ts';
import { playable } from '../recent-calls.ts';
import type { State } from '../state/state.ts';
import type { Uploads } from '../uploads/uploads.ts';
import { answerFixture } from './fixture-page.ts';
import { sendRange } from './kept-files.ts';

/** Data and actions for the sandbox's own pages. */
export interface OwnPages {
  readonly state: State;
  readonly recentCalls: RecentCalls;
  readonly uploads: Uploads;
  readonly recall: Recall;
}

interface PageRequest extends OwnPages {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly host: string;
}

type Page = (page: PageRequest) => void | Promise<void>;

const ownFolder = '/__sandbox/';
const audioPath = /^\/__sandbox\/requests\/([1-9]\d{0,14})\/audio$/;

/** Pages of the sandbox itself, outside the paths of the interface, by method and path. */
const pages: Readonly<Record<string, Page>> = {
  'GET /': ({ response, host }) => {
    const lines = [
      `Speech sandbox ${version}`,
      '',
      'Try:',
      ...tryIt(`http://${host}`).map((line) => `  ${line}`),
      '',
    ];
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
    response.end([...lines, `Recent calls: ${ownFolder}`, `Health: ${ownFolder}health`, ''].join('\n'));
  },
  'GET /__sandbox/health': ({ response }) => {
    sendJson(response, 200, { status: 'ok', service: 'speech-sandbox', version });
  },
  'GET /__sandbox/requests': ({ response, recentCalls }) => {
    sendJson(response, 200, { version, requests: recentCalls.list() }, { 'cache-control': 'no-store' });
  },
  'GET /__sandbox/': pageFile('index.html', 'text/html; charset=utf-8'),
  'GET /__sandbox/page.css': pageFile('page.css', 'text/css; charset=utf-8'),
  'GET /__sandbox/page.js': pageFile('page.js', 'text/javascript; charset=utf-8'),
  'POST /__sandbox/fixtures': ({ request, response, uploads, recall }) =>
    answerFixture({ uploads, recall }, request, response),
  'POST /__sandbox/reset': async ({ response, state, recentCalls, recall }) => {
    await state.reset();
    recentCalls.clear();
    recall.reset();
    response.writeHead(204).end();
  },
};

const audioPage: Page = ({ request, response, path, recentCalls }) => {
  const kept = recentCalls.audio(Number(audioPath.exec(path)?.[1]));
  if (kept === undefined) throw new Refusal('not-found', { message: 'The audio of this call is not kept.' });
  response.setHeader('cache-control', 'no-store');
  sendRange(request, response, playable(kept));
};

/**
 * Answers the sandbox's own pages.
 *
 * @returns whether the request was for one of them
 * @throws Refusal `foreign-host`, or `foreign-origin`: these pages are for the sandbox's own origin, not even for other loopback ones
 */
export async function answerOwnPage(
  own: OwnPages,
  { request, response, origins }: Exchange,
): Promise<boolean> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  const name = `${request.method} ${path}`;
  const isAudio = request.method === 'GET' && audioPath.test(path);
  const page = isAudio ? audioPage : Object.hasOwn(pages, name) ? pages[name] : undefined;
  if (page === undefined) return false;
  origins.checkHost(request.headersDistinct.host);
  const host = request.headers.host ?? '';
  const { origin, 'sec-fetch-site': site } = request.headers;
  const foreignOrigin = origin !== undefined && origin !== `http://${host}`;
  if (foreignOrigin || site === 'cross-site' || site === 'same-site') {
    throw new Refusal('foreign-origin', {
      message: "The sandbox's own pages take requests of its own origin only.",
    });
  }
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'no-referrer');
  await page({ ...own, request, response, path, host });
  return true;
}

/** Nothing but the page's own files may run, and nobody may frame it. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "media-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function pageFile(name: string, contentType: string): Page {
  const bytes = readFileSync(new URL(`../../page/${name}`, import.meta.url));
  return ({ response }) => {
    response.writeHead(200, {
      'content-type': contentType,
      'content-length': bytes.length,
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-cache',
    });
    response.end(bytes);
  };
}
