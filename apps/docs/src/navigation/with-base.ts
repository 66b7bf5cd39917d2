/** An address below the base under which the site is served. */
export function withBase(path: string): string {
  return import.meta.env.BASE_URL.replace(/\/*$/, '') + path;
}

/** The address of a page below the base, such as `/guides/speech/`. */
export function withoutBase(path: string): string {
  const base = import.meta.env.BASE_URL.replace(/\/*$/, '');
  return `${path.slice(base.length).replace(/\/*$/, '')}/`;
}
