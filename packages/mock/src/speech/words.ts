/** Scripts that are written without spaces: each character is timed by itself. */
const wholeCharacter = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`;
const words = new RegExp(String.raw`${wholeCharacter}|(?:(?!${wholeCharacter})[\p{L}\p{N}\p{M}'’])+`, 'gu');
const isWholeCharacter = new RegExp(`^${wholeCharacter}$`, 'u');
const speakerTag = /<\|speaker:\d+\|>/g;

/** A spoken word, and how long it takes. */
export interface TimedWord {
  readonly text: string;
  readonly milliseconds: number;
}

/** How fast the mock speaks, at speed 1: nobody's voice, but a believable length. */
const characterMilliseconds = 60;
const wordMilliseconds = 80;
const wholeCharacterMilliseconds = 240;

/** A text without the tags that say who speaks. */
export function withoutTags(text: string): string {
  return text.replaceAll(speakerTag, ' ');
}

/**
 * The words of a text: signs are dropped and apostrophes vanish, as in the alignments of the service.
 *
 * @param speed as in `prosody`
 */
export function timeWords(text: string, speed: number): TimedWord[] {
  return Array.from(text.matchAll(words), ([word]) => {
    const plain = word.replaceAll(/['’]/g, '');
    const usual = isWholeCharacter.test(plain)
      ? wholeCharacterMilliseconds
      : wordMilliseconds + characterMilliseconds * [...plain].length;
    return { text: plain, milliseconds: Math.round(usual / speed) };
  }).filter(({ text: word }) => word !== '');
}
