import { CannotJudge, UsageError } from '../command/command.ts';
import type { HttpExchange } from '../exchange.ts';
import { hideKey } from '../judge/curl.ts';
import type { Made } from './make-step.ts';
import { jsonOf } from './scenarios/making.ts';
import { callModels } from './scenarios/voice-lives.ts';
import type { CallStep } from './step.ts';

/** The first call of every run: the cheapest one that shows whether there is a speech API and whether the key is good. */
export const firstCall: CallStep = callModels('listModels', 'the first call', () => ({}));

/**
 * Says in words what to do when the first call shows that nothing can be judged.
 *
 * @throws CannotJudge when the server cannot be reached, does not know the key, or is not a speech API
 */
export function checkFirstCall({ exchange, failure }: Made, target: Target): void {
  if (exchange.kind !== 'http') return;
  const { status } = exchange.response;
  if (failure !== undefined) throw new CannotJudge(whyUnreachable(failure, target));
  if (status === 401 || status === 403) {
    throw new CannotJudge(
      `${target.base} does not accept the key in SPEECH_API_KEY (status ${status}). Set it to a key of this server; ` +
        'a sandbox that runs on its own seed data takes SPEECH_API_KEY=sandbox-key.',
    );
  }
  if (status === 429 || status === 503) {
    throw new CannotJudge(
      `${target.base} has no room for a call now (status ${status}). Wait a little and run it again.`,
    );
  }
  const { location } = exchange.response.headers;
  if (status >= 300 && status < 400 && location !== undefined) {
    throw new CannotJudge(
      `${target.base} redirects to ${hideKey(location, target.key)} (status ${status}), and a key is not sent on to another address. ` +
        'Set --target to the address that answers by itself.',
    );
  }
  if (exchange.response.ended !== 'complete') {
    const how = exchange.response.ended === 'cut' ? 'broke off' : 'did not end';
    throw new CannotJudge(
      `${target.base} cannot be judged: the answer to ${exchange.request.method} ${new URL(exchange.request.url).pathname} ` +
        `${how} after ${exchange.response.body.length} bytes (status ${status}).`,
    );
  }
  if (!looksLikeList(exchange)) {
    const type = exchange.response.headers['content-type'] ?? 'no content type';
    throw new CannotJudge(
      `${target.base} does not look like a speech API: ${exchange.request.method} ${new URL(exchange.request.url).pathname} ` +
        `answered ${status} with ${type}. Check --target: it is the base address, without /v1.`,
    );
  }
}

/** A server that answers with anything like a list, or with an error of the interface, can be judged. */
function looksLikeList(exchange: HttpExchange): boolean {
  const body = jsonOf(exchange);
  if (body !== undefined) return 'items' in body || 'total' in body || 'has_more' in body;
  const text = Buffer.from(exchange.response.body).toString('utf8').trimStart();
  return exchange.response.status >= 400 && exchange.response.status !== 404 && /^[[{]/.test(text);
}

/** Why there is no answer, in words; `option` is the one that holds the address. */
export function whyUnreachable(
  failure: Error & { readonly code?: string },
  { base }: Pick<Target, 'base'>,
  option = '--target',
): string {
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'nothing listens there. Start the server, or check host and port',
    ENOTFOUND: 'there is no such host. Check the address',
    EAI_AGAIN: 'the name cannot be looked up. Check the network and the address',
    ETIMEDOUT: 'it did not answer in time. Check the network and the address',
    CERT_HAS_EXPIRED: 'its certificate has expired',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is its own. Set NODE_EXTRA_CA_CERTS to a file with it',
    EPROTO: `it does not speak TLS there. Use http:// in ${option}`,
    HPE_INVALID_CONSTANT: `what answers there does not speak HTTP/1.1. Check the port, or use https:// in ${option}`,
  };
  const reason = known[failure.code ?? ''] ?? `${failure.message || failure.code || 'no answer came'}`;
  return `${base} cannot be reached: ${reason}.`;
}

/** The server that is judged. */
export interface Target {
  /** Base address of the HTTP API, without a slash at its end. */
  readonly base: string;
  /** Base address of the live socket, without a slash at its end. */
  readonly live: string;
  readonly key: string;
}

/** What a person said about the server. */
export interface TargetOptions {
  readonly target: string;
  /** @defaultValue the address of `target`, with the scheme of WebSockets */
  readonly live?: string;
  /** Goes into the header `authorization` and nowhere else. */
  readonly key: string;
}

/** @throws UsageError when an address is invalid, or the key is not a valid header value */
export function readTarget({ target, live, key }: TargetOptions): Target {
  const base = readAddress('--target', target, ['http:', 'https:']);
  const ownLive = base.replace(/^http/, 'ws');
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError(
      'SPEECH_API_KEY must be one word of printable ASCII characters. Check how it was set.',
    );
  }
  return { base, live: live === undefined ? ownLive : readAddress('--live', live, ['ws:', 'wss:']), key };
}

export function readAddress(option: string, value: string, protocols: readonly string[]): string {
  const url = URL.parse(value);
  const fitting = protocols.map((protocol) => `${protocol}//`).join(' or ');
  if (url === null || !protocols.includes(url.protocol)) {
    throw new UsageError(`${option} must be an address that begins with ${fitting}, not "${value}".`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`${option} must hold no name or password; the key comes from SPEECH_API_KEY.`);
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError(`${option} is a base address: leave out everything from "?" or "#" on.`);
  }
  return `${url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin}${url.pathname}`.replace(
    /\/+$/,
    '',
  );
}
