/** Letters that the page's voice cannot read: it has the data of English and Chinese alone. */
const spelled = /(?=\p{L})[^\p{Script=Latin}\p{Script=Han}]/u;

/** A warning for texts that the page's own voice can only spell; empty for all others. */
export function limitOf(text: string): string {
  return spelled.test(text)
    ? ' It reads English and Chinese; letters of other scripts are only spelled, which takes long.'
    : '';
}

/** Throws where a text has nothing to speak. */
export function requireWords(text: string): void {
  if (!/[\p{L}\p{N}]/u.test(text))
    throw new Error('there is nothing to speak in this text: no letter and no digit.');
}

/** Reason why the voice did not load, as far as a page can tell. */
export function whyNotLoaded(): string {
  return globalThis.navigator?.onLine === false
    ? 'this machine is offline, and the voice is loaded when it is first used.'
    : 'the voice could not be loaded.';
}

/** Said where audio is ready and nothing sounds. */
export const silentWords = 'Nothing sounds yet: does this machine have an audio device?';
