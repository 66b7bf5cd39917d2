import { UsageError } from '../command/failures.ts';

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

/** @throws UsageError when an address is none, or the key can't stand in a header */
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

function readAddress(option: string, value: string, protocols: readonly string[]): string {
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
