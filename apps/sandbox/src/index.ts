export type { RecordedAudio, RecordedCall, RecordMode, SentRequest, Violation } from '@speech-api/server';
export type { TranscriptionFixture } from './fixtures.ts';
export type { Logger } from './server/visit.ts';
export type { SpeechJob, SpeechPiece, SpeechService, TimedWord, VoiceProfile } from './speech/job.ts';
export { type RunningSandbox, type SandboxOptions, startSandbox } from './start-sandbox.ts';
