/** Letters that the page's voice cannot read: it has the data of English and Chinese alone. */
const spelled = /(?=\p{L})[^\p{Script=Latin}\p{Script=Han}]/u;

/** A warning for texts that the page's own voice can only spell; empty for all others. */
export function limitOf(text: string): string {
  return spelled.test(text)
    ? ' It reads English and Chinese; letters of other scripts are only spelled, which takes long.'
    : '';
}
