import { defaultJob } from './default-job.ts';
import { profileForVoice } from './prosody/voice-profile.ts';
import { type SynthesisParts, synthesize } from './synthesize.ts';

/** Goes the whole way once: the first sentence of a process takes a tenth of a second longer than the second. */
export async function rehearse(parts: SynthesisParts): Promise<void> {
  const job = defaultJob('Nobody hears this sentence, nor “this” one. 你好。', profileForVoice('rehearsal'));
  for await (const _ of synthesize(job, parts, { signal: new AbortController().signal }));
}
