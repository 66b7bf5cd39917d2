const scripts: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['zh', /\p{Script=Han}/u],
  ['ko', /\p{Script=Hangul}/u],
  ['ru', /\p{Script=Cyrillic}/u],
  ['el', /\p{Script=Greek}/u],
  ['ar', /\p{Script=Arabic}/u],
  ['he', /\p{Script=Hebrew}/u],
  ['hi', /\p{Script=Devanagari}/u],
  // The engine says whatever stands in Latin letters as English.
  ['en', /\p{Script=Latin}/u],
];

/** ISO code of the language that the sandbox says a text in, by its script. */
export function writtenLanguage(text: string): string | undefined {
  return scripts.find(([, script]) => script.test(text))?.[0];
}
