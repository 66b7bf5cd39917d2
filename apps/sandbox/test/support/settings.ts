/** Effect of one field of a synthesis request, and the test that shows it. */
export interface FieldSupport {
  /** `none`: accepted, and nothing is heard of it. */
  readonly effect: 'heard' | 'measured' | 'none';
  /** For the table in the README. */
  readonly words: string;
  /** File below the package, and the name of the test in it. */
  readonly test: readonly [file: string, name: string];
}

const settings = 'src/speech/settings.test.ts';
const speech = 'src/speech/speech.test.ts';
const synthesis = 'src/synthesis.test.ts';

const unheard: FieldSupport['test'] = [
  synthesis,
  'speaks in the same way whatever repetition_penalty and early_stop_threshold are',
];
const encode = 'src/speech/output/encode.test.ts';

/** Every field of sections 2.1 and 2.2, in the order of the specification. */
export const supportedFields: Readonly<Record<string, FieldSupport>> = {
  text: {
    effect: 'heard',
    words:
      'spoken; tags on the closed list of the specification direct the voice to the end of their sentence',
    test: [settings, 'change pitch, pace and volume on %s, and are neither spoken nor aligned'],
  },
  temperature: {
    effect: 'measured',
    words: 'varies pitch, melody and pace a little, the same way for the same request',
    test: [settings, 'grows with the temperature and with top_p, and is the same for the same request'],
  },
  top_p: {
    effect: 'measured',
    words: 'narrows what the temperature may vary',
    test: [settings, 'grows with the temperature and with top_p, and is the same for the same request'],
  },
  prosody: {
    effect: 'heard',
    words: 'see its fields below',
    test: [speech, 'lasts as long as the speed says'],
  },
  chunk_length: {
    effect: 'measured',
    words: 'no chunk of text is longer',
    test: [speech, 'split by the chunk length'],
  },
  normalize: {
    effect: 'heard',
    words:
      'numbers, money, percentages, times and years are read in words in English and Chinese; without it, digit by digit',
    test: [
      settings,
      'reads the number of "%s" as one, and digit by digit without it, in the place of the written token',
    ],
  },
  format: {
    effect: 'measured',
    words: 'wav, pcm, mp3, opus',
    test: [encode, 'gives the same bytes for the same samples, however many streams came before'],
  },
  sample_rate: {
    effect: 'measured',
    words: 'all rates of each format',
    test: [encode, 'at %i Hz says what it is and leaves its sizes open'],
  },
  mp3_bitrate: {
    effect: 'measured',
    words: 'all three',
    test: [encode, 'at %i Hz and %i kbit/s is whole mono frames, as many as the samples and the delay need'],
  },
  opus_bitrate: {
    effect: 'measured',
    words: 'all five',
    test: [encode, 'at %i bit/s is sound Ogg, and decodes to the samples that went in'],
  },
  latency: {
    effect: 'measured',
    words:
      'how soon the first piece of audio leaves, how fine the pieces and how frequent the snapshots are; `low` and `balanced` make a chunk of each sentence',
    test: [settings, 'decides how soon the first piece leaves, and how fine the pieces are'],
  },
  max_new_tokens: {
    effect: 'heard',
    words: 'ends the audio of a chunk after an eighth of a second a token, at speed 1',
    test: [settings, 'ends the audio of each chunk, with the words that are heard whole'],
  },
  repetition_penalty: { effect: 'none', words: 'the engine repeats nothing', test: unheard },
  min_chunk_length: {
    effect: 'measured',
    words: 'no chunk but the last is shorter',
    test: [settings, 'keeps short sentences together'],
  },
  condition_on_previous_chunks: {
    effect: 'measured',
    words: 'the variety of the temperature is drawn once a request; without it, for each chunk',
    test: [settings, 'leaves the voice as it was in the chunks before, unless these are not to be looked at'],
  },
  early_stop_threshold: { effect: 'none', words: 'nothing is made in batches', test: unheard },
  reference_id: {
    effect: 'heard',
    words: 'each voice model has a voice of its own; with `references` as well, those are the voice',
    test: [settings, 'sounds different from others, and the same each time'],
  },
  references: {
    effect: 'heard',
    words: 'the voice is as high and as fast as that of the samples',
    test: [synthesis, 'makes a voice as high as the samples, alike from MessagePack and from base64 in JSON'],
  },
  'prosody.speed': {
    effect: 'heard',
    words: 'as many times as fast',
    test: [speech, 'lasts as long as the speed says'],
  },
  'prosody.volume': {
    effect: 'heard',
    words: 'decibels, limited to -20 to 20',
    test: [speech, 'is louder and softer by the decibels of volume'],
  },
  'prosody.normalize_loudness': {
    effect: 'heard',
    words: 'brings voices to one loudness, on all models but `s1`',
    test: [speech, 'differs less between voices when loudness is normalized, on all models but s1'],
  },
};
