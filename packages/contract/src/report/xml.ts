import { visible } from './visible.ts';

/** Text for XML 1.0, in an attribute or between tags. What XML can't hold is written out. */
export function xml(text: string): string {
  return visible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;')
    .replace(/[\ufffe\uffff]/g, '\ufffd');
}
