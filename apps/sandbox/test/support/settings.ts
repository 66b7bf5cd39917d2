/** Effect of one field of a synthesis request. */
export interface FieldSupport {
  /** `none`: accepted, and nothing is heard of it. */
  readonly effect: 'heard' | 'measured' | 'none';
  /** For the table in the README. */
  readonly words: string;
}

/** Every field of sections 2.1 and 2.2, in the order of the specification. */
export const supportedFields: Readonly<Record<string, FieldSupport>> = {
  text: {
    effect: 'heard',
    words: 'spoken; tags on the list of the specification change the voice until the end of their sentence',
  },
  temperature: {
    effect: 'measured',
    words: 'varies pitch, melody and pace a little, the same way for the same request',
  },
  top_p: { effect: 'measured', words: 'narrows what the temperature may vary' },
  prosody: { effect: 'heard', words: 'see its fields below' },
  chunk_length: { effect: 'measured', words: 'no chunk of text is longer' },
  normalize: {
    effect: 'heard',
    words: 'numbers are read as the engine reads them; without it, digit by digit',
  },
  format: { effect: 'measured', words: 'wav, pcm, mp3, opus' },
  sample_rate: { effect: 'measured', words: 'all rates of each format' },
  mp3_bitrate: { effect: 'measured', words: 'all three' },
  opus_bitrate: { effect: 'measured', words: 'all five' },
  latency: {
    effect: 'measured',
    words:
      'how soon the first piece of audio leaves, how fine the pieces and how frequent the snapshots are; `low` and `balanced` make a chunk of each sentence',
  },
  max_new_tokens: {
    effect: 'heard',
    words: 'ends the audio of a chunk after an eighth of a second per token, at speed 1',
  },
  repetition_penalty: { effect: 'none', words: 'the engine repeats nothing' },
  min_chunk_length: { effect: 'measured', words: 'no chunk but the last is shorter' },
  condition_on_previous_chunks: {
    effect: 'measured',
    words: 'the variation is drawn once per request; without it, once per chunk',
  },
  early_stop_threshold: { effect: 'none', words: 'nothing is made in batches' },
  reference_id: {
    effect: 'heard',
    words: 'each voice model has its own voice; `references` override it',
  },
  references: { effect: 'heard', words: 'a voice of their own, the same for the same samples' },
  'prosody.speed': { effect: 'heard', words: 'multiplies the pace' },
  'prosody.volume': { effect: 'heard', words: 'decibels, limited to -20 to 20' },
  'prosody.normalize_loudness': {
    effect: 'heard',
    words: 'brings voices to one loudness, on all models but `s1`',
  },
};
