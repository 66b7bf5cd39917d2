/**
 * The origin that the pages at an address send: `https://app.example`, or that of the shell of an app, such as
 * `tauri://localhost`. Undefined if they send none of their own, like those of files.
 */
export function originOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, host, origin } = new URL(address);
  if (origin !== 'null') return origin;
  // By the standard, only a few schemes have an origin; a shell sends the scheme of its own all the same.
  return host === '' ? undefined : `${protocol}//${host}`;
}
