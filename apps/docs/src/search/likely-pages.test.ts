import { expect, test } from 'vitest';
import { likelyPages, readList, wordsIn } from './likely-pages.ts';

const pages = readList(`# Site

- [Start](/docs/index.md): Begin here.
- [Speak](/docs/guides/speech.md): How to speak.
- [Errors and retries](/docs/guides/errors.md): What goes wrong.
- [Create speech · POST /v1/tts](/docs/reference/create-speech.md): Text to audio.

- [openapi.yaml](/docs/openapi.yaml)
`);

test('reads pages from the list, and no files', () => {
  expect(pages.map(({ address }) => address)).toEqual([
    '/docs/',
    '/docs/guides/speech/',
    '/docs/guides/errors/',
    '/docs/reference/create-speech/',
  ]);
});

test.each([
  ['/docs/guides/speach/', '/docs/guides/speech/'],
  ['/docs/guides/error-handling.html', '/docs/guides/errors/'],
  ['/docs/reference/createSpeech', '/docs/reference/create-speech/'],
])('finds for %s the page %s', (wrong, right) => {
  expect(likelyPages(wrong, pages)[0]?.address).toBe(right);
});

test('proposes nothing for an address like no other, and survives half an escape', () => {
  expect(likelyPages('/xyzzy/', pages)).toEqual([]);
  expect(wordsIn('/100%/speech/')).toBe('100 speech');
});
