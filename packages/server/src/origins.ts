import { headerNames, operationTable } from '@speech-api/types';
import { Refusal } from './answer.ts';

/** Access policy of a server on a developer's machine. */
export interface OriginPolicyOptions {
  /** The address the server is bound to. */
  readonly host: string;
  /** Origins other than loopback, such as `https://staging.example.com`. Their host names are accepted. */
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
    const urls = allowOrigin.map((origin) => new URL(origin));
    this.#origins = new Set(urls.map(({ origin }) => origin));
    const isLocal = loopbackName.test(host) || host === '::1';
    this.#hosts = isLocal ? new Set(urls.map(({ hostname }) => hostname)) : undefined;
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
    const message = `Pages of ${origin.slice(0, 200)} may not call this server; start the server with --allow-origin ${origin.slice(0, 200)} to allow them.`;
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

function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return (protocol === 'http:' || protocol === 'https:') && loopbackName.test(hostname);
}

/** The name in a `Host` header, without its port. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
}
