export type { TranscriptionFixture } from './fixtures/register-fixture.ts';
export type { Logger } from './server/log.ts';
export type { SpeechJob, SpeechPiece, SpeechService, VoiceProfile } from './speech/index.ts';
export { type RunningSandbox, type SandboxOptions, startSandbox } from './start-sandbox.ts';
