import { expressions } from '@speech-api/types';

/** How a tag in the text changes the voice for what follows it. */
export interface Direction {
  /** Added to the pitch, in steps of the engine. */
  readonly pitch: number;
  /** Added to how far the pitch moves. */
  readonly range: number;
  /** Times as fast. */
  readonly rate: number;
  /** Added to the volume, in dB. */
  readonly decibels: number;
}

/** What a tag asks for: another voice for what follows, a silence, or both. */
export interface TagEffect {
  readonly direction: Direction | undefined;
  /** Seconds of silence at speed 1. */
  readonly pause: number;
}

const direction = (pitch: number, range: number, rate: number, decibels: number): Direction => ({
  pitch,
  range,
  rate,
  decibels,
});

/** The engine has no feelings: what tells them apart by ear is how high, how lively, how fast and how loud it speaks. */
const directions: readonly (readonly [Direction, string])[] = [
  [direction(16, 25, 1.12, 2), 'excited delighted happy joyful amused hysterical surprised astonished'],
  [direction(8, 15, 1.05, 1), 'proud confident grateful satisfied interested keen curious moved'],
  [direction(6, 25, 1.1, 5), 'angry furious disgusted frustrated impatient sneering'],
  [direction(-4, 10, 0.95, 2), 'disdainful scornful sarcastic disapproving negative denying serious'],
  [direction(14, 10, 1.18, 1), 'scared panicked nervous anxious worried'],
  [direction(-14, -20, 0.84, -5), 'sad depressed unhappy upset guilty painful'],
  [direction(-6, -15, 0.9, -3), 'embarrassed awkward reluctant hesitating confused yielding indifferent'],
  [direction(-6, -10, 0.9, -3), 'calm relaxed comforting conciliative empathetic sincere tender'],
];

const manners: readonly (readonly [Direction, readonly string[]])[] = [
  [direction(0, 5, 1.35, 0), ['in a hurry tone']],
  [direction(14, 10, 1.04, 7), ['shouting', 'screaming']],
  [direction(-6, -15, 0.94, -5), ['soft tone']],
  [direction(-12, -40, 0.92, -10), ['whispering', 'whisper']],
];

/** The sound itself is not made: a breath is left for it, and the words after it are coloured by it. */
const sounds: readonly (readonly [Direction, readonly string[]])[] = [
  [direction(12, 25, 1.08, 1), ['laughing', 'laugh', 'chuckling', 'chuckle', 'background laughter']],
  [direction(12, 25, 1.08, 1), ['audience laughing', 'crowd laughing']],
  [direction(10, 15, 0.88, -3), ['crying', 'sobbing']],
  [direction(14, 20, 0.9, 3), ['crying loudly']],
  [direction(-8, -10, 0.9, -3), ['sigh', 'sighing', 'groaning']],
  [direction(6, 10, 1.1, -2), ['gasp', 'panting']],
  [direction(-3, 0, 0.97, 0), ['cough', 'clearing throat']],
];
const breath = 0.25;

const pauses: Readonly<Record<string, number>> = {
  'short pause': 0.3,
  pause: 0.6,
  break: 0.6,
  'long pause': 1.2,
  'long-break': 1.2,
};

const effects: ReadonlyMap<string, TagEffect> = new Map<string, TagEffect>([
  ...directions.flatMap(([made, tags]) => tags.split(' ').map((tag) => effectOf(tag, made, 0))),
  ...manners.flatMap(([made, tags]) => tags.map((tag) => effectOf(tag, made, 0))),
  ...sounds.flatMap(([made, tags]) => tags.map((tag) => effectOf(tag, made, breath))),
  ...Object.entries(pauses).map(([tag, pause]) => effectOf(tag, undefined, pause)),
]);

function effectOf(tag: string, made: Direction | undefined, pause: number): [string, TagEffect] {
  return [tag, { direction: made, pause }];
}

/** The tags of the specification. The list is closed, so that a remark in parentheses is still read out. */
const known: ReadonlySet<string> = new Set(expressions.flatMap(({ tags }) => tags));

/** What a tag asks for; `undefined` for words that are no tag. */
export function effectOfTag(tag: string): TagEffect | undefined {
  const name = tag.trim().toLowerCase();
  return known.has(name) ? (effects.get(name) ?? { direction: undefined, pause: 0 }) : undefined;
}

/** Two directions at once, as of two tags side by side. */
export function bothDirections(one: Direction, other: Direction): Direction {
  return direction(
    one.pitch + other.pitch,
    one.range + other.range,
    one.rate * other.rate,
    one.decibels + other.decibels,
  );
}
