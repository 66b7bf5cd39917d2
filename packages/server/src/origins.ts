import { originOf } from '@speech-api/program/page-origin';
import { headerNames, operationTable } from '@speech-api/types';
import { Refusal } from './answer.ts';

interface OriginPolicyOptions {
  readonly host: string;
  /** Origins other than loopback, such as `https://staging.example.com`, whose host name is accepted, and `tauri://localhost`. */
  readonly allowOrigin?: readonly string[];
}

const loopbackName = /^(localhost|[a-z0-9-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Response headers that a page may read, besides the few that are always readable. */
const exposedHeaders = [
  headerNames.traceId,
  headerNames.concurrencyLimit,
  headerNames.concurrencyInUse,
  headerNames.retryAfter,
  'allow',
];

/** Keeps foreign pages away from a local server, and lets the developer's own pages in: loopback and the allowed origins. */
export class OriginPolicy {
  readonly #origins: ReadonlySet<string>;
  /** Undefined if any host name is accepted, as in a container network. */
  readonly #hosts: ReadonlySet<string> | undefined;

  constructor({ host, allowOrigin = [] }: OriginPolicyOptions) {
    this.#origins = new Set(allowOrigin.map(checkedOrigin));
    const isLocal = loopbackName.test(host) || host === '::1';
    // The host of an app shell is a name within the app.
    const pages = [...this.#origins].filter((origin) => /^https?:/.test(origin));
    this.#hosts = isLocal ? new Set(pages.map((origin) => new URL(origin).hostname)) : undefined;
  }

  /**
   * A page can give its own name the address of a local server (DNS rebinding): the `Host` header still shows it. A server
   * on another address than loopback was opened on purpose, under names that it cannot know.
   *
   * @throws Refusal `foreign-host`
   */
  checkHost(host: string | undefined): void {
    if (this.#hosts === undefined) return;
    const name = nameOf(host ?? '');
    if (loopbackName.test(name) || this.#hosts.has(name)) return;
    const message = `The host ${JSON.stringify(name)} is not one of this server's names; start the server with --allow-origin to add it.`;
    throw new Refusal('foreign-host', { message });
  }

  /** @throws Refusal `foreign-origin` */
  checkOrigin(origin: string | undefined): void {
    if (origin === undefined || this.#isAllowed(origin)) return;
    const shown = origin.slice(0, 200);
    const advice =
      originOf(origin) === undefined
        ? 'serve them from http://localhost'
        : `start the server with --allow-origin ${shown} to allow them`;
    const message = `Pages of ${shown} may not call this server; ${advice}.`;
    throw new Refusal('foreign-origin', { message });
  }

  /** Headers that let the page at `origin` read an answer; none for a request that no page sent or that is foreign. */
  headersFor(origin: string | undefined): Record<string, string> {
    if (origin === undefined || !this.#isAllowed(origin)) return { vary: 'origin' };
    return {
      vary: 'origin',
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposedHeaders.join(', '),
    };
  }

  /**
   * Headers of the answer to a preflight request of an allowed page.
   *
   * @param wanted the request headers that the page wants to send: those of tracing tools are as good as those of the interface
   */
  preflightHeaders(wanted = ''): Record<string, string> {
    const methods = new Set(Object.values(operationTable).map(({ method }) => method));
    return {
      'access-control-allow-methods': [...methods].join(', '),
      'access-control-allow-headers': wanted,
      'access-control-max-age': '600',
    };
  }

  #isAllowed(origin: string): boolean {
    return this.#origins.has(origin) || isLoopback(origin);
  }
}

function checkedOrigin(text: string): string {
  const origin = originOf(text);
  if (origin !== undefined) return origin;
  throw new Error(
    `No page has the origin ${text}; use one such as https://staging.example.com or tauri://localhost.`,
  );
}

function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return (protocol === 'http:' || protocol === 'https:') && loopbackName.test(hostname);
}

function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
}
