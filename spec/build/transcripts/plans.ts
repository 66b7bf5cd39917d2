import type { Plan, Utterance } from './compose.ts';

const goodMorning: Utterance = {
  content: 'Good morning, Anna!',
  words: ['Good', 'morning', 'Anna'],
};

/** Faster than people speak, so that the transcripts stay small. */
const speed = 1.5;

const lighthouse: Utterance = {
  content: 'The keeper counted the ships before breakfast, and wrote their names into a long, blue book.',
  words: 'The keeper counted the ships before breakfast and wrote their names into a long blue book'.split(
    ' ',
  ),
  speed,
};

const harbour: Utterance = {
  content: "When the fog lifted, the harbour was empty; nobody knew where the captain's boat had gone.",
  words: 'When the fog lifted the harbour was empty nobody knew where the captains boat had gone'.split(' '),
  speed,
};

const weather: Utterance = {
  content: '今天天气很好。',
  words: [...'今天天气很好'],
};

/** All that is spoken. */
export const utterances: Readonly<Record<string, Utterance>> = { goodMorning, lighthouse, harbour, weather };

/** The transcripts by their file name. */
export const plans: Readonly<Record<string, Plan>> = {
  'one-chunk': {
    about:
      'One text chunk: no snapshot at first, then growing ones, then the last one repeated. Audio is cut regardless of words.',
    body: { text: goodMorning.content, format: 'pcm', sample_rate: 8000 },
    utterances: [goodMorning],
    steps: [
      { audioShare: 0.16, chunk: 0, segments: null },
      { audioShare: 0.4, chunk: 0, segments: 1 },
      { audioShare: 0.72, chunk: 0, segments: 3 },
      { audioShare: 0.88, chunk: 0, segments: 3 },
      { audioShare: 1, chunk: 0, segments: 3 },
    ],
    cutting: 'events',
  },
  'two-chunks-balanced': {
    about:
      'Long input with latency balanced: two text chunks, several snapshots each. The fourth event still speaks about chunk 0 and carries audio of chunk 1. The wav header has placeholders for its sizes.',
    body: {
      text: `${lighthouse.content} ${harbour.content}`,
      format: 'wav',
      sample_rate: 8000,
      latency: 'balanced',
      chunk_length: 100,
    },
    utterances: [lighthouse, harbour],
    steps: [
      { audioShare: 0.16, chunk: 0, segments: null },
      { audioShare: 0.31, chunk: 0, segments: 7 },
      { audioShare: 0.49, chunk: 0, segments: 16 },
      { audioShare: 0.56, chunk: 0, segments: 16 },
      { audioShare: 0.72, chunk: 1, segments: null },
      { audioShare: 0.88, chunk: 1, segments: 9 },
      { audioShare: 1, chunk: 1, segments: 16 },
    ],
    cutting: 1500,
  },
  'chinese-characters': {
    about:
      'One segment for each Chinese character, the full stop dropped. The body is cut inside characters, too.',
    body: { text: weather.content, format: 'pcm', sample_rate: 8000 },
    utterances: [weather],
    steps: [
      { audioShare: 0.5, chunk: 0, segments: 3 },
      { audioShare: 1, chunk: 0, segments: 6 },
    ],
    cutting: 455,
  },
  'null-alignments': {
    about: 'Alignment is unavailable: no event has a snapshot, and the audio is whole all the same.',
    body: { text: goodMorning.content, format: 'pcm', sample_rate: 8000 },
    utterances: [goodMorning],
    steps: [1, 2, 3].map((third) => ({ audioShare: third / 3, chunk: 0, segments: null })),
    cutting: 'events',
    breaks: ['stream-tells-times'],
  },
  'null-after-a-snapshot': {
    about:
      'Alignments come and go: each null leaves the snapshot before it as it was, and its audio counts all the same.',
    body: { text: goodMorning.content, format: 'pcm', sample_rate: 8000 },
    utterances: [goodMorning],
    steps: [null, 1, null, 2, null, 3].map((segments, index) => ({
      audioShare: (index + 1) / 6,
      chunk: 0,
      segments,
    })),
    cutting: 'events',
  },
  'repeated-snapshots': {
    about: 'Each snapshot arrives three times; a reader that appends them gets every word three times.',
    body: { text: goodMorning.content, format: 'pcm', sample_rate: 8000 },
    utterances: [goodMorning],
    steps: [1, 1, 1, 2, 2, 2, 3, 3, 3].map((segments, index) => ({
      audioShare: (index + 1) / 9,
      chunk: 0,
      segments,
    })),
    cutting: 'events',
  },
  'cut-in-the-middle': {
    about: 'The connection breaks inside the third event, so two events are all there is.',
    body: { text: goodMorning.content, format: 'pcm', sample_rate: 8000 },
    utterances: [goodMorning],
    steps: [
      { audioShare: 0.32, chunk: 0, segments: null },
      { audioShare: 0.67, chunk: 0, segments: 2 },
      { audioShare: 1, chunk: 0, segments: 3 },
    ],
    cutting: 'events',
    breaksInLastEventAfter: 900,
    breaks: ['body-ends-cleanly'],
  },
  'out-of-order': {
    about:
      'A service that goes back to an earlier chunk with a shorter snapshot and ends with a marker. Readers cope all the same.',
    body: {
      text: `${goodMorning.content} ${goodMorning.content}`,
      format: 'pcm',
      sample_rate: 8000,
      latency: 'balanced',
    },
    utterances: [goodMorning, goodMorning],
    steps: [
      { audioShare: 0.33, chunk: 0, segments: 3 },
      { audioShare: 0.67, chunk: 1, segments: 2 },
      { audioShare: 0.83, chunk: 0, segments: 2 },
      { audioShare: 1, chunk: 1, segments: 3 },
    ],
    cutting: 'events',
    tail: 'data: [DONE]\n\n',
    breaks: [
      'chunk-seq-does-not-decrease',
      'offset-does-not-decrease',
      'snapshot-covers-the-last-one',
      'no-end-marker',
    ],
  },
};
