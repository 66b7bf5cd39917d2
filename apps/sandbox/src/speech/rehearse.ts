import type { SpeechJob } from './job.ts';
import { profileForVoice } from './prosody/voice-profile.ts';
import { type SynthesisParts, synthesize } from './synthesize.ts';

const job: SpeechJob = {
  text: 'Nobody hears this sentence, nor “this” one. 你好。',
  model: 's2-pro',
  speakers: [profileForVoice('rehearsal')],
  format: 'pcm',
  sample_rate: 44100,
  mp3_bitrate: 128,
  opus_bitrate: -1000,
  chunk_length: 300,
  min_chunk_length: 50,
  latency: 'balanced',
  normalize: true,
  temperature: 0.7,
  top_p: 0.7,
  max_new_tokens: 1024,
  prosody: { speed: 1, volume: 0, normalize_loudness: true },
};

/** Goes the whole way once: the first sentence of a process takes a tenth of a second longer than the second. */
export async function rehearse(parts: SynthesisParts): Promise<void> {
  for await (const _ of synthesize(job, parts, new AbortController().signal));
}
