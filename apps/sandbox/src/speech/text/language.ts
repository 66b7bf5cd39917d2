import type { SpokenCharacter } from './spoken-text.ts';

/** Characters next to each other that one speaker says in one language. */
export interface LanguageRun {
  readonly characters: readonly SpokenCharacter[];
  readonly speaker: number;
  /** Engine language: `cmn` for Chinese, `home` for the Latin script. */
  readonly language: string;
}

/** The speaker's own language, when it is written in the Latin script. */
export const homeLanguage = 'home';

const languageOfScript: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Han}/u, 'cmn'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Devanagari}/u, 'hi'],
];

/** Cuts a chunk where the speaker or the script changes. Digits, spaces and punctuation go with what stands before them. */
export function languageRuns(characters: readonly SpokenCharacter[]): LanguageRun[] {
  const runs: { characters: SpokenCharacter[]; speaker: number; language: string | undefined }[] = [];
  for (const character of characters) {
    const language = languageOf(character.spoken);
    const last = runs.at(-1);
    if (last === undefined || last.speaker !== character.speaker) {
      runs.push({ characters: [character], speaker: character.speaker, language });
    } else if (language === undefined || last.language === undefined || language === last.language) {
      last.characters.push(character);
      last.language ??= language;
    } else {
      runs.push({ characters: [character], speaker: character.speaker, language });
    }
  }
  return runs.map((run) => ({ ...run, language: run.language ?? homeLanguage }));
}

/** `undefined` for what belongs to no script. */
function languageOf(character: string): string | undefined {
  if (!/\p{L}/u.test(character)) return undefined;
  return languageOfScript.find(([script]) => script.test(character))?.[1] ?? homeLanguage;
}
