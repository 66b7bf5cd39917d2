import {
  type Answer,
  type Call,
  type CallLog,
  emptyAnswer,
  jsonAnswer,
  Refusal,
  rangeAnswer,
} from '@speech-api/server';
import { answerFixture } from '../fixtures.ts';
import { version } from '../greeting.ts';
import type { Recall } from '../recall/recall.ts';
import { type FileStore, mediaTypeOfFile } from '../state/files.ts';
import type { State } from '../state/state.ts';
import type { Uploads } from '../uploads/uploads.ts';

export interface OwnPages {
  readonly state: State;
  readonly log: CallLog;
  readonly uploads: Uploads;
  readonly recall: Recall;
}

type Page = (parts: OwnPages, call: Call) => Answer | Promise<Answer>;

export const ownFolder = '/__sandbox/';

/** Pages of the sandbox itself, outside the paths of the interface, by method and path. HEAD is answered as GET. */
const pages: Readonly<Record<string, Page>> = {
  'GET /__sandbox/health': () => jsonAnswer(200, { status: 'ok', service: 'speech-sandbox', version }),
  'POST /__sandbox/fixtures': (parts, { request }) => answerFixture(parts, request),
  'POST /__sandbox/reset': async ({ state, log, recall }) => {
    await state.reset();
    log.clear();
    recall.reset();
    return emptyAnswer(204);
  },
};

/**
 * These pages are for the sandbox's own origin, not even for other loopback ones.
 *
 * @throws Refusal `foreign-origin`
 */
export function checkOwnOrigin({ request: { headers } }: Call): void {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  const foreignOrigin = origin !== undefined && origin !== `http://${host}`;
  if (foreignOrigin || site === 'cross-site' || site === 'same-site') {
    throw new Refusal('foreign-origin', {
      message: "The sandbox's own pages take requests of its own origin only.",
    });
  }
}

/**
 * Answers the sandbox's own pages, and the files of voice models.
 *
 * @returns undefined if the request is for none of them
 * @throws Refusal `foreign-host` or `foreign-origin`
 */
export async function answerOwnPage(parts: OwnPages, call: Call): Promise<Answer | undefined> {
  const { request, path } = call;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  if (method === 'GET' && path.startsWith(fileFolder)) return await answerKeptFile(parts.state.files, call);
  const name = `${method} ${path}`;
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
  if (page === undefined) return undefined;
  call.checkHost();
  checkOwnOrigin(call);
  return await page(parts, call);
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
    call.request.headers.range,
    { mediaType: mediaTypeOfFile(name), bytes },
    {
      // The file was uploaded by a user, so it must not run as a page of this address.
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private',
    },
  );
}
