/** A text without its pointers to sections of the interface document, which readers of the site cannot open. */
export function withoutSections(text: string): string {
  return text.replaceAll(/\s*\(sections? \d[^()]*\)/g, '');
}
