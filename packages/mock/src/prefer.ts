import type { IncomingRequest } from '@speech-api/server';

/** The caller's preferences for the answer, in Prism's terms. */
export interface Preferences {
  /** A documented status. */
  readonly code?: string;
  /** The name of an example, or of a transcript. */
  readonly example?: string;
}

const names = ['code', 'example'] as const;
type Name = (typeof names)[number];

/**
 * Takes the preferences of a request: of its header `Prefer: code=404, example=notFound`, or of its query as
 * `__code` and `__example`, which are cut out of its URL, since the spec knows nothing of them.
 */
export function takePreferences({ url, headers }: Pick<IncomingRequest, 'url' | 'headers'>): {
  readonly preferences: Preferences;
  readonly url: string;
} {
  const wished = new Map<Name, string>();
  const [path = '/', ...queryParts] = url.split('?');
  const parts = queryParts.length === 0 ? [] : queryParts.join('?').split('&');
  const kept = parts.filter((part) => !take(wished, part.replace(/^__/, ''), part.startsWith('__')));
  for (const part of (headers.prefer ?? '').split(/[,;]/)) take(wished, part.trim(), true);
  return {
    url: kept.length === 0 ? path : `${path}?${kept.join('&')}`,
    preferences: Object.fromEntries(wished),
  };
}

/** Notes a preference. Others than these are ignored, as RFC 7240 says. */
function take(wished: Map<Name, string>, part: string, meant: boolean): boolean {
  const [, given = '', value = ''] = /^([a-z]+)="?([^"]*)"?$/i.exec(part) ?? [];
  const name = names.find((each) => each === given.toLowerCase());
  if (!meant || name === undefined) return false;
  if (value !== '') wished.set(name, value);
  return true;
}
