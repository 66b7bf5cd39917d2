import { defaultModel, expressionStyles } from '@speech-api/types';
import { bothDirections, type Direction, effectOfTag, type TagEffect } from '../prosody.ts';
import { cutQuality, qualityBefore } from './segment.ts';
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
  /** Voice change from a tag before it; the same object for every character the tag applies to. */
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
/** UTF-16 units that a tag may have: beyond them it is text. */
const longestMarkup = 204;
const longestTag = 27;
/** Pictographs and what joins, colours or frames them. */
const pictograph = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f|\u20e3/u;

/**
 * Removes what is not spoken: speaker tags, expression tags, markup and pictographs. Every remaining code point
 * keeps its position in the caller's text. An expression tag applies until the end of the sentence, the next tag
 * that asks for something else, or the next speaker.
 */
export function prepareText(text: string, options: PrepareOptions): SpokenCharacter[] {
  const preparer = new TextPreparer(options);
  return [...preparer.write(text), ...preparer.end()];
}

/** Prepares a text that comes bit by bit: a tag may begin in one portion and end in another. */
export class TextPreparer {
  readonly #options: PrepareOptions;
  /** The end of what came, which may be the beginning of a tag. */
  #held = '';
  #speaker = 0;
  #source = 0;
  #direction: Direction | undefined;
  /** Whether something has been said since the direction was given. */
  #said = true;
  /** The last characters that were prepared: whether a sentence ends is judged by them. */
  #recent: SpokenCharacter[] = [];

  constructor(options: PrepareOptions) {
    this.#options = options;
  }

  write(text: string): SpokenCharacter[] {
    const whole = this.#held + text;
    const end = openTagStart(whole, this.#options.tags);
    this.#held = whole.slice(end);
    return this.#prepare(whole.slice(0, end));
  }

  /** Releases the text that was held back: it cannot become a tag any more. */
  end(): SpokenCharacter[] {
    const rest = this.#held;
    this.#held = '';
    return this.#prepare(rest);
  }

  #prepare(text: string): SpokenCharacter[] {
    const cuts = findCuts(text, this.#options);
    const characters: SpokenCharacter[] = [];
    let unit = 0;
    let cut = cuts.shift();
    while (unit < text.length) {
      if (cut !== undefined && unit === cut.start) {
        this.#direct(cut);
        // A space, so that the words on both sides stay apart.
        characters.push(this.#take(' ', ' ', cut.effect?.pause));
        this.#source += codePointCount(text.slice(cut.start, cut.end));
        unit = cut.end;
        cut = cuts.shift();
        continue;
      }
      const written = String.fromCodePoint(text.codePointAt(unit) ?? 0x20);
      const spoken = spokenForm(written, this.#options.normalize);
      this.#endDirection({ written, spoken, source: this.#source, speaker: this.#speaker });
      characters.push(this.#take(written, spoken, undefined));
      unit += written.length;
      this.#source += 1;
    }
    return characters;
  }

  #take(written: string, spoken: string, pause: number | undefined): SpokenCharacter {
    const direction = this.#direction;
    const character = {
      written,
      spoken,
      source: this.#source,
      speaker: this.#speaker,
      ...(direction === undefined ? {} : { direction }),
      ...(pause ? { pause } : {}),
    };
    this.#recent.push(character);
    // Cut now and then, not at each character.
    if (this.#recent.length > 2 * longestLook) this.#recent = this.#recent.slice(-longestLook);
    return character;
  }

  /** Switches to another speaker or applies a tag. Consecutive tags add up. */
  #direct({ speaker, effect }: Cut): void {
    if (speaker !== undefined) {
      this.#speaker = speaker;
      this.#direction = undefined;
    }
    if (effect?.direction === undefined) return;
    this.#direction =
      this.#said || this.#direction === undefined
        ? effect.direction
        : bothDirections(this.#direction, effect.direction);
    this.#said = false;
  }

  /** Ends the effect of a tag if a sentence has ended before the next character. */
  #endDirection(next: SpokenCharacter): void {
    if (this.#direction === undefined) return;
    const before = this.#recent.slice(-longestLook);
    if (this.#said && qualityBefore([...before, next], before.length) === cutQuality.sentence) {
      this.#direction = undefined;
    }
    this.#said ||= hasTokens([next.spoken]);
  }
}

/** Start of a tag that is incomplete at the end of the text, or of a character that is only half there. */
function openTagStart(text: string, style: TagStyle): number {
  const { open: opening, close: closing } = style;
  const half = /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
  return Math.min(
    half,
    lastOpen(text, '<', '>', longestMarkup),
    lastOpen(text, opening, closing, longestTag),
  );
}

function lastOpen(text: string, opening: string, closing: string, longest: number): number {
  const start = text.lastIndexOf(opening);
  const open = start >= 0 && text.length - start < longest && !text.includes(closing, start);
  return open ? start : text.length;
}

/** Code points before a place that tell whether a sentence ends there. */
const longestLook = 32;

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

/** Syntax of directions in a model's text: the delimiters, and whether only listed directions are valid. */
export type TagStyle = (typeof expressionStyles)[keyof typeof expressionStyles];

/** A tag in a text; the indices are UTF-16 units. */
export interface ExpressionTag {
  readonly start: number;
  readonly end: number;
  readonly effect: TagEffect;
}

/** A model that the specification does not know has the style of the default model. */
export function tagStyleOf(model: string): TagStyle {
  return (
    Object.entries(expressionStyles).find(([name]) => name === model)?.[1] ?? expressionStyles[defaultModel]
  );
}

const patterns = { '(': /\(([a-z][a-z -]{2,24})\)/giu, '[': /\[([a-z][a-z -]{2,24})\]/giu } as const;
/** A direction in words of the caller's own is not said, and changes nothing: the engine cannot follow it. */
const unknownDirection: TagEffect = { direction: undefined, pause: 0 };

/** Finds every direction of the style; any other parenthesis or bracket is part of the text. */
export function expressionTags(text: string, { open, tags }: TagStyle): ExpressionTag[] {
  return [...text.matchAll(patterns[open])].flatMap((match) => {
    const effect = effectOfTag(match[1] ?? '') ?? (tags === 'free' ? unknownDirection : undefined);
    return effect === undefined ? [] : [{ start: match.index, end: match.index + match[0].length, effect }];
  });
}
