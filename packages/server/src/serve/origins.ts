import { headerNames, operationTable } from '@speech-api/types';
import { Refusal } from '../refuse/refusal.ts';

/** Access policy of a server on a developer's machine. */
export interface OriginPolicyOptions {
  /** The address the server is bound to. */
  readonly host: string;
  /** Origins other than loopback, such as `https://staging.example.com`. Their host names are accepted. */
  readonly allowOrigin?: readonly string[];
}

/** Keeps foreign pages away from a local server, and lets the developer's own pages in. */
export interface OriginPolicy {
  /**
   * A page can give its own name the address of a local server (DNS rebinding): the `Host` header still
   * shows it. Two `Host` headers that differ are refused: a proxy in front of the server may have checked the
   * other one.
   *
   * @param hosts every `Host` header of the request
   * @throws Refusal `foreign-host`
   */
  checkHost(hosts: string | readonly string[] | undefined): void;
  /** @throws Refusal `foreign-origin` */
  checkOrigin(origin: string | undefined): void;
  /** Headers that let the page at `origin` read an answer; none for a request that no page sent or that is foreign. */
  headersFor(origin: string | undefined): Record<string, string>;
  /** Headers of the answer to a preflight request. */
  preflightHeaders(origin: string | undefined): Record<string, string>;
}

const loopbackName = /^(localhost|[a-z0-9-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Request headers that a page may send: those of the spec's operations. */
const requestHeaders = [
  headerNames.authorization,
  'content-type',
  headerNames.model,
  headerNames.traceparent,
];

/** Response headers that a page may read, besides the few that are always readable. */
const exposedHeaders = [
  headerNames.traceId,
  headerNames.concurrencyLimit,
  headerNames.concurrencyInUse,
  headerNames.retryAfter,
  'allow',
];

/** Makes a policy: loopback and the allowed origins, and no others. */
export function createOriginPolicy(options: OriginPolicyOptions): OriginPolicy {
  const origins = new Set((options.allowOrigin ?? []).map((origin) => new URL(origin).origin));
  const hosts = new Set([...[...origins].map((origin) => new URL(origin).hostname), bracketed(options.host)]);
  const methods = [...new Set(Object.values(operationTable).map((operation) => operation.method))].join(', ');
  const isAllowed = (origin: string): boolean => origins.has(origin) || isLoopback(origin);

  return {
    checkHost(given) {
      const [first = '', ...others] = [given ?? []].flat();
      if (others.some((other) => other.toLowerCase() !== first.toLowerCase())) {
        const message = 'The request has Host headers that contradict each other; send one.';
        throw new Refusal('foreign-host', { message });
      }
      const name = nameOf(first);
      if (loopbackName.test(name) || hosts.has(name)) return;
      const message = `The host ${JSON.stringify(name)} is not one of this server's names; start the server with --allow-origin to add it.`;
      throw new Refusal('foreign-host', { message });
    },
    checkOrigin(origin) {
      if (origin === undefined || isAllowed(origin)) return;
      const message = `Pages of ${origin.slice(0, 200)} may not call this server; start the server with --allow-origin ${origin.slice(0, 200)} to allow them.`;
      throw new Refusal('foreign-origin', { message });
    },
    headersFor(origin) {
      if (origin === undefined || !isAllowed(origin)) return { vary: 'origin' };
      return {
        vary: 'origin',
        'access-control-allow-origin': origin,
        'access-control-expose-headers': exposedHeaders.join(', '),
      };
    },
    preflightHeaders(origin) {
      return {
        ...this.headersFor(origin),
        'access-control-allow-methods': methods,
        'access-control-allow-headers': requestHeaders.join(', '),
        'access-control-max-age': '600',
      };
    },
  };
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

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host.toLowerCase();
}
