import { type Answer, bytesAnswer, emptyAnswer, jsonAnswer, Refusal, rangeAnswer } from './answer.ts';
import type { CallLog } from './call-log.ts';
import { pageOf, pageScript, pageStyle } from './call-page.ts';
import type { IncomingRequest } from './receive.ts';

/** Path of a server's calls. No path of the interface begins like this. */
export const callsPath = '/__calls';
const audioPath = /^\/__calls\/(\d{1,15})\/audio$/;

export interface CallPages {
  /** Name of the server in messages: `mock`, `sandbox`. */
  readonly name: string;
  readonly log: CallLog;
  /** A key that the server accepts. */
  readonly exampleKey: string;
}

/**
 * Answers `/`, a page of the calls, and what it shows. `GET /__calls` reports the calls, `DELETE` forgets them: for tests that
 * are not written in JavaScript.
 *
 * @param check whether the sender may see the pages of this server
 * @returns undefined if the request is for none of them
 * @throws Refusal of `check`, or `not-found` for audio that is not kept
 */
export function answerCallPage(
  { name, log, exampleKey }: CallPages,
  { method, url, headers }: IncomingRequest,
  check: () => void,
): Answer | undefined {
  const [path = '', query] = url.split('?');
  const isRead = method === 'GET' || method === 'HEAD';
  if (path === callsPath) {
    check();
    if (method === 'DELETE') {
      log.clear();
      return emptyAnswer();
    }
    if (isRead) return jsonAnswer(200, log.report(latestOf(query)), fresh);
    const message = `${callsPath} has GET and DELETE.`;
    return jsonAnswer(405, { status: 405, message }, { allow: 'GET, DELETE' });
  }
  const audio = audioPath.exec(path);
  const example = tryIt(`http://${headers.host}`, exampleKey).join('\n').replaceAll('<', '&lt;');
  const text = textOf(path, () => pageOf(`Speech ${name}`, example));
  if (!isRead || (audio === null && text === undefined)) return undefined;
  check();
  if (text !== undefined) {
    const [type, content] = text;
    return bytesAnswer(200, Buffer.from(content), {
      ...safe,
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-cache',
    });
  }
  const call = log.calls.find(({ id }) => id === Number(audio?.[1]));
  const file = call?.playable();
  if (file === undefined) {
    const message = 'The audio of this call is not kept; record bodies to keep it.';
    throw new Refusal('not-found', { message });
  }
  return rangeAnswer(headers.range, file, fresh);
}

const safe = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };
const fresh = { ...safe, 'cache-control': 'no-store' };

function latestOf(query: string | undefined): number | undefined {
  const latest = new URLSearchParams(query).get('latest');
  return latest !== null && /^[1-9]\d{0,8}$/.test(latest) ? Number(latest) : undefined;
}

function textOf(path: string, page: () => string): readonly [type: string, content: string] | undefined {
  if (path === '/') return ['text/html', page()];
  if (path === `${callsPath}/page.css`) return ['text/css', pageStyle];
  if (path === `${callsPath}/page.js`) return ['text/javascript', pageScript];
  return undefined;
}

/** A command that speaks, ready to be copied: two lines of one command. */
export function tryIt(url: string, key: string): string[] {
  return [
    `curl ${url}/v1/tts -H 'authorization: Bearer ${key}' -H 'model: s2-pro' \\`,
    `  -H 'content-type: application/json' -d '{"text":"Hello."}' --output hello.mp3`,
  ];
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
