const base = import.meta.env.BASE_URL.replace(/\/*$/, '');

/** The address of a place on the site, wherever the site is served: `/unknowns/` under `/docs/` is `/docs/unknowns/`. */
export function href(path: string): string {
  return `${base}${path}`;
}
