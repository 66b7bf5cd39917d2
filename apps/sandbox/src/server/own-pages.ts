import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Exchange, Refusal, sendJson } from '@speech-api/server';
import { tryIt, version } from '../command-line.ts';
import { answerFixture } from '../fixtures.ts';
import type { Recall } from '../recall/recall.ts';
import { playable, type RecentCalls } from '../recent-calls.ts';
import { type FileStore, mediaTypeOfFile } from '../state/files.ts';
import type { State } from '../state/state.ts';
import type { Uploads } from '../uploads/uploads.ts';

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
  const audio = recentCalls.audio(Number(audioPath.exec(path)?.[1]));
  if (audio === undefined) throw new Refusal('not-found', { message: 'The audio of this call is not kept.' });
  response.setHeader('cache-control', 'no-store');
  sendRange(request, response, playable(audio));
};

/**
 * Answers the sandbox's own pages.
 *
 * @returns whether the request was for one of them
 * @throws Refusal `foreign-host`, or `foreign-origin`: these pages are for the sandbox's own origin, not even for other loopback ones
 */
export async function answerOwnPage(
  paths: OwnPages,
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
  await page({ ...paths, request, response, path, host });
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

const fileFolder = '/__sandbox/files/';

/** Gives files their addresses, as the caller of this request reaches the sandbox. */
export function keptFileUrl(host: string | undefined): (name: string) => string {
  return (name) => `http://${host ?? ''}${fileFolder}${name}`;
}

/**
 * Answers recordings and pictures of voice models, whole or the part that is asked for. They have names that nobody can
 * guess and need no key: samples and covers are there to be played and shown by a page.
 *
 * @returns whether the request was for a file
 * @throws Refusal `foreign-host` or `foreign-origin` as for any call, `not-found`
 */
export async function answerKeptFile(
  files: FileStore,
  { request, response, origins }: Exchange,
): Promise<boolean> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  if ((request.method !== 'GET' && request.method !== 'HEAD') || !path.startsWith(fileFolder)) return false;
  origins.checkHost(request.headersDistinct.host);
  origins.checkOrigin(request.headers.origin);
  const name = path.slice(fileFolder.length);
  const bytes = await files.read(name);
  if (bytes === undefined) throw new Refusal('not-found', { message: 'There is no file of this name.' });
  // The file was uploaded by a user, so it must not run as a page of this address.
  response.setHeader('content-security-policy', "default-src 'none'; sandbox");
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('cache-control', 'private');
  sendRange(request, response, { mediaType: mediaTypeOfFile(name), bytes });
  return true;
}

/** Sends bytes, or the one part of them that is asked for: a player jumps by asking for parts. A HEAD request gets the headers. */
function sendRange(
  request: IncomingMessage,
  response: ServerResponse,
  { mediaType, bytes }: { readonly mediaType: string; readonly bytes: Uint8Array },
): void {
  const headers = { 'content-type': mediaType, 'accept-ranges': 'bytes' };
  const [, from = '', to = ''] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(request.headers.range ?? '') ?? [];
  if (from === '') {
    response.writeHead(200, { ...headers, 'content-length': bytes.length });
    response.end(bytes);
    return;
  }
  const start = Number(from);
  const end = Math.min(to === '' ? Number.POSITIVE_INFINITY : Number(to), bytes.length - 1);
  if (start > end) {
    response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
    return;
  }
  const part = bytes.subarray(start, end + 1);
  const range = `bytes ${start}-${end}/${bytes.length}`;
  response.writeHead(206, { ...headers, 'content-range': range, 'content-length': part.length });
  response.end(part);
}
