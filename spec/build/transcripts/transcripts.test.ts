import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Provenance, problems, read, repeated, wrongProvenance } from '../../rules/testing/data.ts';
import { bundle } from '../bundle.ts';
import { byteLengthOf, sampleRate, streamedWavHeader } from './audio.ts';
import { compose } from './compose.ts';
import { plans, utterances } from './plans.ts';
import { parseTranscript, readEvents } from './transcript.ts';
import { recorded } from './voice.ts';

interface StreamRule {
  readonly id: string;
  readonly provenance?: Provenance;
}

const folder = new URL('../../transcripts/', import.meta.url);
const names = Object.keys(plans);
const rules = read<StreamRule[]>('rules/streams.yaml');
const text = (name: string) => readFileSync(new URL(`${name}.jsonl`, folder), 'utf8');

let isRequest: (value: unknown) => boolean;
let isEvent: (value: unknown) => boolean;

beforeAll(async () => {
  const { components } = await bundle('openapi.yaml');
  const validator = (schema: string) =>
    new Ajv2020({ strict: false }).compile({ components, $ref: `#/components/schemas/${schema}` });
  isRequest = validator('SynthesisRequest');
  isEvent = validator('SpeechStreamEvent');
}, 60_000);

describe('the stream rules', () => {
  test('match their schema, have unique ids, and marks that name an entry of the register', () => {
    expect(problems('rules/judged.schema.yaml', rules)).toEqual([]);
    const inferred = {
      ...rules[0],
      severity: 'error',
      provenance: { unknown: 'chunk-order', from: 'public' },
    };
    expect(problems('rules/judged.schema.yaml', [inferred])).not.toEqual([]);
    expect(repeated(rules.map(({ id }) => id))).toEqual([]);
    expect(wrongProvenance(rules.map(({ provenance }) => provenance))).toEqual([]);
  });
});

describe('the transcripts', () => {
  test('are those of the plans', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
    expect(files.sort()).toEqual(names.map((name) => `${name}.jsonl`).sort());
  });

  describe.each(names)('%s', (name) => {
    test('is as its plan says; if not, run `node build/transcripts/write.ts` in spec', () => {
      const plan = plans[name];
      expect(plan && compose(plan) === text(name)).toBe(true);
    });

    test('matches the schema of transcripts', () => {
      const lines = text(name)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(problems('transcripts/transcript.schema.yaml', lines)).toEqual([]);
      expect(problems('transcripts/transcript.schema.yaml', lines.slice(0, -1))).not.toEqual([]);
      expect(lines.at(-1)).toHaveProperty('end');
      const times = lines.slice(1, -1).map(([milliseconds]) => milliseconds);
      expect(times).toEqual([...times].sort((one, other) => one - other));
    });

    test('asks and answers as the specification says', () => {
      const { opening, events } = parseTranscript(text(name));
      expect(isRequest(opening.request.body)).toBe(true);
      expect(events.length).toBeGreaterThan(0);
      for (const event of events) expect(isEvent(event)).toBe(true);
    });

    // The judge of packages/contract finds in each of them what it says that it breaks, and nothing else.
    test('reads as it says', () => {
      const { ending, events } = parseTranscript(text(name));
      expect(readEvents(events)).toEqual(ending.reads_as);
    });
  });

  test('show a null alignment, a repeated snapshot, and a chunk with several', () => {
    const { events } = parseTranscript(text('one-chunk'));
    const [first, second, third, fourth] = events.map(({ alignment }) => alignment);
    expect(first).toBeNull();
    expect(third?.segments.length).toBeGreaterThan(second?.segments.length ?? 0);
    expect(fourth).toEqual(third);
  });

  test('show audio that belongs to the chunk after the one that its event names', () => {
    const { events } = parseTranscript(text('two-chunks-balanced'));
    const sent = (count: number) =>
      events
        .slice(0, count)
        .reduce((sum, event) => sum + Buffer.from(event.audio_base64, 'base64').byteLength, 0);
    const secondStarts = events.find(({ chunk_seq }) => chunk_seq === 1)?.chunk_audio_offset_sec ?? 0;
    const boundary = streamedWavHeader().byteLength + byteLengthOf(secondStarts * 1000);
    expect(events[3]?.chunk_seq).toBe(0);
    expect(sent(4)).toBeGreaterThan(boundary);
  });

  test('cut characters in two', () => {
    const [, ...lines] = text('chinese-characters').trimEnd().split('\n').slice(0, -1);
    const pieces = lines.map((line) => Buffer.from(JSON.parse(line)[1], 'base64'));
    expect(pieces.some((piece) => piece.toString('utf8').includes('\ufffd'))).toBe(true);
  });

  test.each(Object.values(utterances))(
    'speak "$content", each word loud where its time says',
    ({ content, words }) => {
      const { audio, words: times } = recorded(content);
      const samples = new Int16Array(new Uint8Array(audio).buffer);
      const loudness = (from: number, to: number) =>
        Math.max(
          ...samples.subarray(Math.floor(from * sampleRate), Math.ceil(to * sampleRate)).map(Math.abs),
        );
      expect(times).toHaveLength(words.length);
      for (const [start, end] of times) expect(loudness(start, end)).toBeGreaterThan(2000);
      expect(times.at(-1)?.[1]).toBeLessThanOrEqual(samples.length / sampleRate);
    },
  );

  test('are speech: loud and soft by turns, and no pitch throughout', () => {
    const samples = new Int16Array(new Uint8Array(recorded('Good morning, Anna!').audio).buffer);
    const crossings = Array.from({ length: Math.floor(samples.length / 400) }, (_, frame) => {
      const window = samples.subarray(frame * 400, (frame + 1) * 400);
      return window.reduce(
        (sum, sample, index) => sum + Number(sample < 0 !== (window[index - 1] ?? sample) < 0),
        0,
      );
    });
    // A tone crosses zero at one rate; voiced and unvoiced sounds do not.
    expect(Math.max(...crossings)).toBeGreaterThan(3 * (Math.min(...crossings) + 1));
  });
});
