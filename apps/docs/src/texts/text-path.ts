/** The address of the text of a page: `/guides/speech.md` for `/guides/speech/`. */
export function textPath(path: string, base = '/'): string {
  if (path === base) return `${base}index.md`;
  return path.endsWith('/') ? `${path.slice(0, -1)}.md` : path;
}
