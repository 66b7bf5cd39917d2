import type { Direction } from '../prosody.ts';
import type { SpokenCharacter } from './spoken-text.ts';

/** Characters next to each other that one speaker says in one language. */
export interface LanguageRun {
  readonly characters: readonly SpokenCharacter[];
  readonly speaker: number;
  /** Engine language: `cmn` for Chinese, `home` for the Latin script. */
  readonly language: string;
  /** Voice change that a tag requests for the whole of it. */
  readonly direction: Direction | undefined;
  /** Seconds of silence before it that a tag asks for. */
  readonly pause: number;
}

/** The speaker's own language, when it is written in the Latin script. */
export const homeLanguage = 'home';

/** ISO codes by script, the more telling scripts first: Japanese is written with Han characters too. */
const scripts: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/\p{Script=Latin}/u, 'en'],
];

/** The language of a text by its script alone: whatever is in the Latin script counts as English. */
export function languageOfText(text: string): string | undefined {
  return scripts.find(([script]) => script.test(text))?.[1];
}

/** Names of the engine where they are not the ISO codes. */
const engineLanguages: Readonly<Record<string, string>> = { zh: 'cmn', en: homeLanguage };

interface OpenRun {
  readonly characters: SpokenCharacter[];
  readonly speaker: number;
  language: string | undefined;
  readonly direction: Direction | undefined;
  readonly pause: number;
}

/**
 * Cuts a chunk where the speaker, the script or what a tag asks for changes. Digits, spaces and punctuation go with
 * what stands before them.
 */
export function languageRuns(characters: readonly SpokenCharacter[]): LanguageRun[] {
  const runs: OpenRun[] = [];
  for (const character of characters) {
    const language = languageOf(character.spoken);
    const last = runs.at(-1);
    const goesOn =
      last !== undefined &&
      last.speaker === character.speaker &&
      last.direction === character.direction &&
      character.pause === undefined &&
      (language === undefined || last.language === undefined || language === last.language);
    if (goesOn) {
      last.characters.push(character);
      last.language ??= language;
    } else {
      const { speaker, direction, pause = 0 } = character;
      runs.push({ characters: [character], speaker, language, direction, pause });
    }
  }
  return runs.map((run, index) => {
    const before = runs[index - 1];
    const inherited = before?.speaker === run.speaker ? before.language : undefined;
    return { ...run, language: run.language ?? inherited ?? homeLanguage };
  });
}

/** `undefined` for what belongs to no script. */
function languageOf(character: string): string | undefined {
  if (!/\p{L}/u.test(character)) return undefined;
  const language = languageOfText(character) ?? 'en';
  return engineLanguages[language] ?? language;
}
