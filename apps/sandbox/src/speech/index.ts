export { SpeechEngineError } from './engine/engine-error.ts';
export { SpeechOverloadError } from './engine/overload-error.ts';
export type {
  SpeechJob,
  SpeechPiece,
  SpeechService,
  SpeechSession,
  SpokenChunk,
  SynthesizeOptions,
  VoiceProfile,
} from './job.ts';
export { type HeardVoice, profileFromClips, type VoiceClip } from './prosody/profile-from-clips.ts';
export { profileForVoice } from './prosody/voice-profile.ts';
export { createSpeechService, type SpeechServiceOptions } from './service.ts';
