/** An address below the base under which the site is served. */
export function withBase(path: string): string {
  return import.meta.env.BASE_URL.replace(/\/*$/, '') + path;
}
