import { type EngineOutput, engineSampleRate, type Utterance } from './engine/protocol.ts';
import { defaultJob, type SpeechJob, type SpeechPiece } from './job.ts';
import { createLoudness, createPcmEncoder } from './output/samples.ts';
import { profileForVoice } from './prosody.ts';
import { synthesize } from './synthesize.ts';

export { type EngineOutput, engineSampleRate, type TimedEvent, type Utterance } from './engine/protocol.ts';
export type { SpeechPiece } from './job.ts';

/** Settings of speech in a page; omitted ones have the defaults of the specification. */
export interface PageSettings {
  /** Ids of voices, one per speaker. @defaultValue an English one, or a Chinese one where the text has Han characters */
  readonly voices?: readonly string[] | undefined;
  readonly model?: string | undefined;
  readonly speed?: number | undefined;
  readonly volume?: number | undefined;
  readonly temperature?: number | undefined;
}

/**
 * Speaks in a page without a server: pcm of {@link engineSampleRate}, 16 bit, mono, with the words and their times.
 * Nothing here or below it uses Node.
 *
 * @param speak says one utterance on an engine in a worker, in the engine's protocol
 */
export function speakInPage(
  text: string,
  { voices, model, speed, volume, temperature }: PageSettings,
  speak: (utterance: Utterance) => AsyncIterable<EngineOutput>,
  signal: AbortSignal,
): AsyncIterable<SpeechPiece> {
  const usualVoice = profileForVoice(/\p{Script=Han}/u.test(text) ? 'sandbox-mei' : 'sandbox-alba');
  const standard = defaultJob(text, usualVoice);
  const job: SpeechJob = {
    ...standard,
    speakers: voices?.map(profileForVoice) ?? [usualVoice],
    model: model ?? standard.model,
    format: 'pcm',
    sample_rate: engineSampleRate,
    latency: 'low',
    temperature: temperature ?? standard.temperature,
    prosody: {
      ...standard.prosody,
      speed: speed ?? standard.prosody.speed,
      volume: volume ?? standard.prosody.volume,
    },
  };
  const encoder = createPcmEncoder();
  const shape = createLoudness(job.prosody.normalize_loudness, job.prosody.volume);
  const output = {
    leadingSeconds: 0,
    write: async (samples: Int16Array) => encoder.encode(shape(samples)),
    end: async () => encoder.finish(),
    free() {},
  };
  const parts = { speak, waitAtMost: Number.POSITIVE_INFINITY, createOutput: async () => output };
  return synthesize(job, parts, { signal });
}
