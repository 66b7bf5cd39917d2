export { createSpeechClient, type SpeechClient } from './client.ts';
export type { SpeechHttp } from './core/core.ts';
export { compareCredit } from './credit.ts';
export * from './errors/index.ts';
export type { LogFields, Logger } from './logger.ts';
export type {
  BodyOptions,
  CallOptions,
  Fetch,
  RetryOptions,
  SpeechClientOptions,
  SpeechOptions,
  Timeouts,
} from './options.ts';
export type { CheckedRequest, SpeechRequest } from './request-check.ts';
export type { ModelList } from './resources/model-list.ts';
export type { ModelsResource } from './resources/models.ts';
export type { SpeechResource } from './resources/speech.ts';
export type { HoldOptions, SpeechAudio } from './resources/speech-audio.ts';
export type { SpeechStream } from './resources/speech-stream.ts';
export type { TranscriptionsResource } from './resources/transcriptions.ts';
export type { WaitOptions } from './resources/wait-until-trained.ts';
export type { WalletResource } from './resources/wallet.ts';
export type { ClientSettings } from './settings.ts';
export { createTrace, type Trace, type TraceSource } from './trace.ts';
