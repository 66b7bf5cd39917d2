import { bothDirections, type Direction, type TagEffect } from '../prosody/direction.ts';
import { cutQuality, qualityBefore } from './cut-quality.ts';
import { expressionTags, type TagStyle } from './expression-tags.ts';
import { hasTokens } from './tokens.ts';

/** One code point of what is said. */
export interface SpokenCharacter {
  /** As the caller wrote it. */
  readonly written: string;
  /** As the engine is given it: one code point, so that its positions are ours. */
  readonly spoken: string;
  /** Offset of the code point in the caller's text. */
  readonly source: number;
  /** Index of the speaker. */
  readonly speaker: number;
  /** How a tag before it wants it to be said; one object for all that it is about. */
  readonly direction?: Direction;
  /** Seconds of silence that a tag wants before it. */
  readonly pause?: number;
}

export interface PrepareOptions {
  readonly speakers: number;
  readonly tags: TagStyle;
  /** Brings letters and digits of full width, and typographic apostrophes, to their plain form. */
  readonly normalize: boolean;
}

const speakerTag = /<\|speaker:(\d+)\|>/gu;
/** Elements, which would be read out bracket by bracket. */
const markup = /<\/?[a-z][^<>]{0,200}>/giu;
/** Pictographs and what joins, colours or frames them. */
const pictograph = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f|\u20e3/u;

/**
 * Takes out what is not to be said (speaker tags, expression tags, markup, pictographs) and keeps for every
 * code point that is left where it stood in the caller's text. What an expression tag asks for holds to the end of
 * the sentence, to the next tag that asks for something else, or until another speaks.
 */
export function prepareText(text: string, options: PrepareOptions): SpokenCharacter[] {
  const cuts = findCuts(text, options);
  const characters: SpokenCharacter[] = [];
  let speaker = 0;
  let unit = 0;
  let source = 0;
  let direction: Direction | undefined;
  /** Whether something has been said since the direction was given. */
  let said = true;
  let cutIndex = 0;
  while (unit < text.length) {
    const cut = cuts[cutIndex];
    if (cut !== undefined && unit === cut.start) {
      if (cut.speaker !== undefined) direction = undefined;
      speaker = cut.speaker ?? speaker;
      if (cut.effect?.direction !== undefined) {
        direction =
          said || direction === undefined
            ? cut.effect.direction
            : bothDirections(direction, cut.effect.direction);
        said = false;
      }
      // A space, so that the words on both sides stay apart.
      characters.push({
        written: ' ',
        spoken: ' ',
        source,
        speaker,
        ...directed(direction, cut.effect?.pause),
      });
      source += codePointCount(text.slice(cut.start, cut.end));
      unit = cut.end;
      cutIndex += 1;
      continue;
    }
    const written = String.fromCodePoint(text.codePointAt(unit) ?? 0x20);
    const character = { written, spoken: spokenForm(written, options.normalize), source, speaker };
    if (direction !== undefined) {
      const atEnd = qualityBefore(
        [...characters.slice(-longestLook), character],
        Math.min(characters.length, longestLook),
      );
      if (said && atEnd === cutQuality.sentence) direction = undefined;
      said ||= hasTokens([character.spoken]);
    }
    characters.push({ ...character, ...directed(direction, undefined) });
    unit += written.length;
    source += 1;
  }
  return characters;
}

/** Code points before a place that tell whether a sentence ends there. */
const longestLook = 32;

function directed(
  direction: Direction | undefined,
  pause: number | undefined,
): Pick<SpokenCharacter, 'direction' | 'pause'> {
  return { ...(direction === undefined ? {} : { direction }), ...(pause ? { pause } : {}) };
}

interface Cut {
  readonly start: number;
  readonly end: number;
  readonly speaker?: number;
  readonly effect?: TagEffect;
}

function findCuts(text: string, options: PrepareOptions): Cut[] {
  const cuts: Cut[] = [...text.matchAll(speakerTag)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    speaker: Math.min(Number(match[1]), options.speakers - 1),
  }));
  cuts.push(...expressionTags(text, options.tags));
  cuts.push(
    ...[...text.matchAll(markup)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
    })),
  );
  return cuts.sort((left, right) => left.start - right.start);
}

function spokenForm(character: string, normalize: boolean): string {
  if (/^[\w ,.]$/.test(character)) return character;
  if (pictograph.test(character) || isMarkup(character)) return ' ';
  // A lone surrogate has no UTF-8 form.
  if (/[\p{Cc}\p{Cs}]/u.test(character) && character !== '\n') return ' ';
  if (!normalize) return character;
  if (/[’‘ʼ＇]/u.test(character)) return "'";
  return /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/u.test(character)
    ? character.normalize('NFKC')
    : character;
}

/** The engine reads `<...>` as markup and `[[...]]` as phonemes. */
function isMarkup(character: string): boolean {
  return character === '<' || character === '>' || character === '[' || character === ']';
}

function codePointCount(text: string): number {
  return [...text].length;
}
