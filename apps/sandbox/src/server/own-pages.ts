import { readFileSync } from 'node:fs';
import { type Answer, bytesAnswer, type Call, emptyAnswer, jsonAnswer, Refusal } from '@speech-api/server';
import { answerFixture } from '../fixtures.ts';
import { tryIt, version } from '../greeting.ts';
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
  readonly request: Call['request'];
  readonly path: string;
  readonly host: string;
}

type Page = (page: PageRequest) => Answer | Promise<Answer>;

export const ownFolder = '/__sandbox/';
const audioPath = /^\/__sandbox\/requests\/([1-9]\d{0,14})\/audio$/;

/** Pages of the sandbox itself, outside the paths of the interface, by method and path. HEAD is answered as GET. */
const pages: Readonly<Record<string, Page>> = {
  'GET /': ({ host }) => {
    const lines = [
      `Speech sandbox ${version}`,
      '',
      'Try:',
      ...tryIt(`http://${host}`).map((line) => `  ${line}`),
      '',
      `Recent calls: ${ownFolder}`,
      `Health: ${ownFolder}health`,
      '',
    ];
    return bytesAnswer(200, Buffer.from(lines.join('\n')), { 'content-type': 'text/plain; charset=utf-8' });
  },
  'GET /__sandbox/health': () => jsonAnswer(200, { status: 'ok', service: 'speech-sandbox', version }),
  'GET /__sandbox/requests': ({ recentCalls }) =>
    jsonAnswer(200, { version, requests: recentCalls.list() }, { 'cache-control': 'no-store' }),
  'GET /__sandbox/': pageFile('index.html', 'text/html; charset=utf-8'),
  'GET /__sandbox/page.css': pageFile('page.css', 'text/css; charset=utf-8'),
  'GET /__sandbox/page.js': pageFile('page.js', 'text/javascript; charset=utf-8'),
  'POST /__sandbox/fixtures': ({ request, uploads, recall }) => answerFixture({ uploads, recall }, request),
  'POST /__sandbox/reset': async ({ state, recentCalls, recall }) => {
    await state.reset();
    recentCalls.clear();
    recall.reset();
    return emptyAnswer(204);
  },
};

const audioPage: Page = ({ request, path, recentCalls }) => {
  const audio = recentCalls.audio(Number(audioPath.exec(path)?.[1]));
  if (audio === undefined) throw new Refusal('not-found', { message: 'The audio of this call is not kept.' });
  return rangeAnswer(request, playable(audio), { 'cache-control': 'no-store' });
};

/**
 * Answers the sandbox's own pages, and the files of voice models.
 *
 * @returns undefined if the request is for none of them
 * @throws Refusal `foreign-host`, or `foreign-origin`: these pages are for the sandbox's own origin, not even for other loopback ones
 */
export async function answerOwnPage(paths: OwnPages, call: Call): Promise<Answer | undefined> {
  const { request, path } = call;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (method === 'GET' && path.startsWith(fileFolder)) return await answerKeptFile(paths.state.files, call);
  const name = `${method} ${path}`;
  const isAudio = method === 'GET' && audioPath.test(path);
  const page = isAudio ? audioPage : Object.hasOwn(pages, name) ? pages[name] : undefined;
  if (page === undefined) return undefined;
  call.checkHost();
  const { host = '', origin, 'sec-fetch-site': site } = request.headers;
  const foreignOrigin = origin !== undefined && origin !== `http://${host}`;
  if (foreignOrigin || site === 'cross-site' || site === 'same-site') {
    throw new Refusal('foreign-origin', {
      message: "The sandbox's own pages take requests of its own origin only.",
    });
  }
  Object.assign(call.answerHeaders, {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  return await page({ ...paths, request, path, host });
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
  return () =>
    bytesAnswer(200, bytes, {
      'content-type': contentType,
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-cache',
    });
}

export const fileFolder = '/__sandbox/files/';

/**
 * Answers a recording or picture of a voice model, whole or the part that is asked for. They have names that nobody can
 * guess and need no key: samples and covers are there to be played and shown by a page.
 *
 * @throws Refusal `foreign-host` or `foreign-origin` as for any call, `not-found`
 */
async function answerKeptFile(files: FileStore, call: Call): Promise<Answer> {
  call.checkHost();
  call.checkOrigin();
  const name = call.path.slice(fileFolder.length);
  const bytes = await files.read(name);
  if (bytes === undefined) throw new Refusal('not-found', { message: 'There is no file of this name.' });
  return rangeAnswer(
    call.request,
    { mediaType: mediaTypeOfFile(name), bytes },
    {
      // The file was uploaded by a user, so it must not run as a page of this address.
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private',
    },
  );
}

/** Answers with bytes, or the one part of them that is asked for: a player jumps by asking for parts. */
function rangeAnswer(
  { headers: { range = '' } }: Call['request'],
  { mediaType, bytes }: { readonly mediaType: string; readonly bytes: Uint8Array },
  others: Answer['headers'],
): Answer {
  const headers = { ...others, 'content-type': mediaType, 'accept-ranges': 'bytes' };
  const [, from = '', to = ''] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(range) ?? [];
  if (from === '') return bytesAnswer(200, bytes, headers);
  const start = Number(from);
  const end = Math.min(to === '' ? Number.POSITIVE_INFINITY : Number(to), bytes.length - 1);
  if (start > end) return emptyAnswer(416, { ...others, 'content-range': `bytes */${bytes.length}` });
  const part = bytes.subarray(start, end + 1);
  return bytesAnswer(206, part, { ...headers, 'content-range': `bytes ${start}-${end}/${bytes.length}` });
}
