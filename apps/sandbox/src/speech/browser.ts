/**
 * Speech for a page without a server: give {@link openSession} a pool that talks to an engine in a worker in
 * the engine's protocol, and an output. Nothing here or below it uses Node.
 */

export { type EngineOutput, engineSampleRate, type TimedEvent, type Utterance } from './engine/protocol.ts';
export {
  defaultJob,
  type SpeechJob,
  type SpeechPiece,
  type SpeechSession,
  type SynthesizeOptions,
  type TimedWord,
  type VoiceProfile,
} from './job.ts';
export {
  createFixedGain,
  createLeveller,
  createPcmEncoder,
  createVolume,
  createWavEncoder,
} from './output/samples.ts';
export { profileForVoice } from './prosody.ts';
export { openSession, type SynthesisParts, synthesize } from './synthesize.ts';
