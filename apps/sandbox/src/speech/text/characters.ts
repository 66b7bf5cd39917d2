import type { VoiceProfile } from '../job.ts';

/** Characters that readers see as one, such as emoji, are also spoken as one. */
export interface SpokenCharacter {
  /** As the caller wrote it: a letter with its marks, a pictograph with what joins it. */
  readonly written: string;
  /** The text for the engine; empty for characters that are not spoken. */
  readonly spoken: string;
  /** Index of the speaker. */
  readonly speaker: number;
  /** Seconds of silence that a tag puts before it. */
  readonly pause?: number;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The units of a text: what a reader sees as one character. */
export function unitsOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** Pictographs and what joins, colours or frames them. */
const pictograph = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\ufe0f|\u20e3/u;
/** The engine reads `<...>` as markup and `[[...]]` as phonemes, and a lone surrogate has no UTF-8 form. */
const unsayable = /[<>[\]\u200b\p{Cs}]|(?!\n)\p{Cc}/gu;

/**
 * The form in which a unit is said: full width, ligatures, mathematical letters and letters whose marks are written
 * apart become plain ones (NFKC), and joiners fall silent.
 *
 * @param normalize without it, digits are read one by one
 */
export function spokenForm(written: string, normalize: boolean): string {
  if (/^[\w ,.]$/.test(written)) return normalize || !/\d/.test(written) ? written : `${written} `;
  if (pictograph.test(written)) return ' ';
  const plain = written
    .normalize('NFKC')
    .replace(unsayable, ' ')
    .replace(/\p{Cf}/gu, '');
  return normalize ? plain.replace(/[’‘ʼ]/gu, "'") : plain.replace(/\d/g, '$& ');
}

/** A unit without a speaker or a tag. */
export type Unit = Pick<SpokenCharacter, 'written' | 'spoken'>;

/** A text that has no tags, unit by unit. */
export function plainUnits(text: string): Unit[] {
  return unitsOf(text).map((written) => ({ written, spoken: spokenForm(written, true) }));
}

/** Something written that gets a time of its own: a word, or one character of a script without spaces. */
export interface Token {
  /** First unit of the written token, punctuation included. */
  readonly start: number;
  /** After its last unit. */
  readonly end: number;
  /** As the caller wrote it, without the punctuation around it. */
  readonly text: string;
  /** Whether it is one character of a script written without spaces. */
  readonly single: boolean;
}

const characterOfItsOwn = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const separator =
  /[\s\u2014\u2013\u2026\u3000-\u3003\u3008-\u3011\uff0c\uff01\uff1f\uff1a\uff1b\uff08\uff09]/u;
const sayable = /[\p{L}\p{N}]/u;
const spokenSymbol = /^[&+=%@#$€£¥]$/u;
// Percent, ampersand, at and number signs are punctuation to Unicode, and words to a reader.
const punctuationBefore = /^(?:(?![%&@#])\p{P})+/u;
const punctuationAfter = /(?:(?![%&@#])\p{P})+$/u;

export function findTokens(units: readonly Unit[]): Token[] {
  const tokens: Token[] = [];
  let start = -1;
  const close = (end: number) => {
    if (start >= 0) tokens.push(...makeToken(units, start, end));
    start = -1;
  };
  units.forEach(({ written, spoken }, index) => {
    if (characterOfItsOwn.test(written)) {
      close(index);
      tokens.push({ start: index, end: index + 1, text: written, single: true });
    } else if (separator.test(written) || spoken === ' ') {
      close(index);
    } else if (start < 0) {
      start = index;
    }
  });
  close(units.length);
  return tokens;
}

function makeToken(units: readonly Unit[], start: number, end: number): Token[] {
  const written = units
    .slice(start, end)
    .map((unit) => unit.written)
    .join('');
  const text = written.replace(punctuationBefore, '').replace(punctuationAfter, '');
  return sayable.test(text) || spokenSymbol.test(text) ? [{ start, end, text, single: false }] : [];
}

/** Whether a text contains anything that can be spoken. */
export function hasTokens(units: readonly Pick<SpokenCharacter, 'spoken'>[]): boolean {
  return units.some(({ spoken }) => sayable.test(spoken) || spokenSymbol.test(spoken));
}

/** Characters next to each other that one speaker says in one language. */
export interface LanguageRun {
  readonly characters: readonly SpokenCharacter[];
  readonly speaker: number;
  /** ISO code, by the script alone: `en` stands for all languages in the Latin script. */
  readonly language: string;
  /** Seconds of silence that a tag puts before it. */
  readonly pause: number;
}

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

/** Languages in shared scripts that the engine reads by their own rules, as measured. */
const spokenLanguages: ReadonlySet<string> = new Set(
  'af az ca cs cy da de en eo es et eu fi fr ga hr hu id is it la lt lv ms nb nl no pl pt ro sk sl sq sv sw tr uz vi'
    .concat(' be bg kk ky mk ru sr uk ar fa ur hi mr ne')
    .split(' '),
);
/** Names of the engine where they are not the ISO codes. */
const engineNames: Readonly<Record<string, string>> = { zh: 'cmn', no: 'nb' };

/** Engine language for a run: the first language of the voice that is written in the same script, if there is one. */
export function engineLanguage(
  scriptLanguage: string,
  { accent, languages = [] }: Pick<VoiceProfile, 'accent' | 'languages'>,
): string {
  const script = scriptOf(scriptLanguage);
  const language =
    languages
      .map((tag) => tag.toLowerCase().split(/[-_]/)[0] ?? '')
      .find((code) => spokenLanguages.has(code) && scriptOf(code) === script) ?? scriptLanguage;
  return language === 'en' ? accent : (engineNames[language] ?? language);
}

function scriptOf(language: string): string | undefined {
  return new Intl.Locale(language).maximize().script;
}

interface OpenRun {
  readonly characters: SpokenCharacter[];
  readonly speaker: number;
  language: string | undefined;
  readonly pause: number;
}

/**
 * Cuts a chunk where the speaker or the script changes, and where a tag asks for silence. Digits, spaces and punctuation belong
 * to the text before them.
 */
export function languageRuns(characters: readonly SpokenCharacter[]): LanguageRun[] {
  const runs: OpenRun[] = [];
  for (const character of characters) {
    const language = languageOf(character.spoken);
    const last = runs.at(-1);
    const goesOn =
      last !== undefined &&
      last.speaker === character.speaker &&
      character.pause === undefined &&
      (language === undefined || last.language === undefined || language === last.language);
    if (goesOn) {
      last.characters.push(character);
      last.language ??= language;
    } else {
      const { speaker, pause = 0 } = character;
      runs.push({ characters: [character], speaker, language, pause });
    }
  }
  return runs.map((run, index) => {
    const before = runs[index - 1];
    const inherited = before?.speaker === run.speaker ? before.language : undefined;
    return { ...run, language: run.language ?? inherited ?? 'en' };
  });
}

/** `undefined` for what belongs to no script. */
function languageOf(character: string): string | undefined {
  if (!/\p{L}/u.test(character)) return undefined;
  return languageOfText(character) ?? 'en';
}
