import {
  type AudioFormat,
  audioFormats,
  mediaTypes,
  mp3Bitrates,
  opusBitrates,
  sampleRates,
  synthesisModels,
  synthesisRanges,
} from '@speech-api/types';
import type { CallStep, Scenario } from '../step.ts';
import { greeting, sentence, speak } from './making.ts';

// Every format at every rate and bitrate. Each scenario has a call of one format; those that show most come first.

/** What a format can be asked for. */
interface Variant {
  readonly format: AudioFormat;
  readonly what: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const variants: readonly Variant[] = audioFormats.flatMap(variantsOf);

/** The variants of one format, in the order of their worth: those that have most in them which the ones before had not. */
function variantsOf(format: AudioFormat): Variant[] {
  const rates: readonly (number | null)[] = [...sampleRates[format].toReversed(), null];
  const bitrates = format === 'mp3' ? mp3Bitrates : format === 'opus' ? opusBitrates : [undefined];
  const all = rates.flatMap((rate) => bitrates.map((bitrate) => ({ rate, bitrate })));
  return spread(all).map(({ rate, bitrate }) => ({
    format,
    what: `${format} at ${rate === null ? 'its default rate' : `${rate} Hz`}${bitrateInWords(format, bitrate)}`,
    fields: {
      format,
      ...(rate !== null && { sample_rate: rate }),
      ...(bitrate !== undefined && { [`${format}_bitrate`]: bitrate }),
    },
  }));
}

function bitrateInWords(format: AudioFormat, bitrate: number | undefined): string {
  if (bitrate === undefined) return '';
  if (bitrate < 0) return ', automatic bitrate';
  return `, ${format === 'opus' ? bitrate / 1000 : bitrate} kbps`;
}

/** Each rate and each bitrate once, before any of them a second time. */
function spread<Pair extends { rate: unknown; bitrate: unknown }>(pairs: readonly Pair[]): Pair[] {
  const first: Pair[] = [];
  const rest = [...pairs];
  for (;;) {
    const isNew = (pair: Pair) =>
      Number(!first.some(({ rate }) => rate === pair.rate)) +
      Number(!first.some(({ bitrate }) => bitrate === pair.bitrate));
    const next = rest.toSorted((one, other) => isNew(other) - isNew(one))[0];
    if (next === undefined) return first;
    first.push(next);
    rest.splice(rest.indexOf(next), 1);
  }
}

/** Numbers at the ends of their ranges, which are allowed. */
const ends = (['minimum', 'maximum'] as const).map((end) => {
  const { 'prosody.speed': speed, ...others } = synthesisRanges;
  const numbers = Object.entries(others).map(([name, range]) => [name, range[end]] as const);
  return { ...Object.fromEntries(numbers), prosody: { speed: speed[end] } };
});

const bodies = [mediaTypes.json, mediaTypes.msgpack];

/** How many variants of each format are worth a call where calls are few. */
const worthACall: Readonly<Record<AudioFormat, number>> = { wav: 0, pcm: 2, mp3: 2, opus: 2 };

export const speechFormats: readonly Scenario[] = variants.map((variant, index) => {
  const place = variants.filter(({ format }) => format === variant.format).indexOf(variant);
  const early = place < worthACall[variant.format];
  return {
    name: `speech-${variant.format}-${place + 1}`,
    about: `${variant.what} is what was asked for`,
    priority: early ? 20 + place : 70 + place,
    steps: [oneCall(variant, index)],
  };
});

/** Models, media types and the ends of ranges take turns, so that one call shows several things. */
function oneCall({ what, fields }: Variant, index: number): CallStep {
  return speak(
    what,
    {
      // A bitrate is an average: it takes more than a second to tell.
      text: Number(fields.opus_bitrate ?? 0) > 0 ? sentence : greeting,
      ...fields,
      ...ends[index % (ends.length + 1)],
    },
    {
      model: synthesisModels[index % synthesisModels.length] ?? null,
      mediaType: bodies[index % 2] ?? mediaTypes.json,
    },
  );
}
