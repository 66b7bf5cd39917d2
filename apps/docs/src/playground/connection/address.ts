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
  const { username, password, search, hash, origin, pathname } = new URL(typed);
  if (username !== '' || password !== '') return refuse('contains a user name or a password; leave it out');
  if (search !== '' || hash !== '') return refuse('contains a query or a fragment; leave it out');
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

/** The address of a path below a base URL; a path that would leave it is an {@link AddressError}. */
export function callAddress(baseUrl: string, path: string): URL {
  const base = new URL(`${readBaseUrl(baseUrl)}/`);
  const typed = path.trim();
  if (!/^\/(?![/\\])/.test(typed))
    throw new AddressError('path', `“${typed}” does not begin with one slash.`);
  const address = new URL(`.${typed}`, base);
  if (address.origin !== base.origin || !address.pathname.startsWith(base.pathname) || address.hash !== '')
    throw new AddressError('path', `“${typed}” leads away from ${base.href}.`);
  return address;
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
