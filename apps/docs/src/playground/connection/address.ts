/** An address that cannot be called: nothing was sent. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
  readonly field: 'baseUrl' | 'path';

  constructor(field: 'baseUrl' | 'path', message: string) {
    super(message);
    this.field = field;
  }
}

/** A base URL as it was typed, without a slash at its end; throws an {@link AddressError} for anything else. */
export function readBaseUrl(text: string, protocols: readonly string[] = ['https:', 'http:']): string {
  const typed = text.trim();
  const schemes = protocols.map((protocol) => `${protocol}//`);
  const refuse = (reason: string): never => {
    throw new AddressError('baseUrl', `${typed === '' ? 'The address is empty' : `“${typed}” ${reason}`}.`);
  };
  if (!schemes.some((scheme) => typed.toLowerCase().startsWith(scheme)) || !URL.canParse(typed))
    return refuse(`is not a whole address; begin with ${schemes.join(' or ')}`);
  const { username, password, search, hash, hostname, origin, pathname } = new URL(typed);
  if (username !== '' || password !== '') return refuse('contains a user name or a password; leave it out');
  if (search !== '' || hash !== '') return refuse('contains a query or a fragment; leave it out');
  const isPlain = !/^(?:https|wss):/i.test(typed);
  // The policy of this site lets a page connect to nothing else without TLS.
  if (isPlain && !/^(?:localhost|127\.0\.0\.1)$/.test(hostname))
    return refuse('is not on this machine; without TLS, use localhost or 127.0.0.1');
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

/** The origin that a call to this base URL goes to; undefined where it cannot be called. */
export function originOf(baseUrl: string, protocols?: readonly string[]): string | undefined {
  try {
    return new URL(readBaseUrl(baseUrl, protocols)).origin;
  } catch {
    return undefined;
  }
}

/** Throws an {@link AddressError} for a path that would leave its base URL. */
export function requirePath(baseUrl: string, path: string): void {
  const base = new URL(`${readBaseUrl(baseUrl)}/`);
  if (!/^\/(?![/\\])/.test(path)) throw new AddressError('path', `“${path}” does not begin with one slash.`);
  const address = new URL(`.${path}`, base);
  if (address.origin !== base.origin || !address.pathname.startsWith(base.pathname) || address.hash !== '')
    throw new AddressError('path', `“${path}” leads away from ${base.href}.`);
}

export function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

/** A server that says nothing for so long is not there. */
const probeMilliseconds = 3000;

/**
 * Resolves to true where anything answers, also where the page may not read the answer: a browser reports a missing
 * server and a forbidden origin alike. The request has no key.
 */
export async function isAnswering(baseUrl: string): Promise<boolean> {
  try {
    await fetch(new URL(baseUrl), {
      mode: 'no-cors',
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(probeMilliseconds),
    });
    return true;
  } catch {
    return false;
  }
}
