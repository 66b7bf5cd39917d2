/// <reference lib="esnext.disposable" preserve="true" />
export type { CollectedSpeech, SpeechEvent, Timeline } from '@speech-api/streaming';
// The types that the client's own types refer to, so that a caller's declaration needs no other package.
export type {
  ApiCredit,
  AudioFormat,
  BinaryInput,
  CreateModelRequest,
  ListModelsQuery,
  Package,
  Prosody,
  ReferenceAudio,
  SpeakerTurn,
  SpeechRequest,
  SynthesisModel,
  Transcription,
  TranscriptionModel,
  TranscriptionRequest,
  TranscriptionSegment,
  UpdateModelRequest,
  ValidationIssue,
  VoiceModel,
  VoiceModelList,
} from '@speech-api/types';
export { createSpeechClient, type SpeechClient } from './client.ts';
export type { HoldOptions } from './core/body.ts';
export type { BodyType } from './core/encode.ts';
export type { Answer, CallPromise, SpeechHttp } from './core/http.ts';
export { compareCredit } from './credit.ts';
export {
  AbortError,
  ConfigurationError,
  ConnectionError,
  type ErrorGuard,
  ProtocolError,
  RequestError,
  SpeechError,
  TimeoutError,
  type TimeoutPhase,
} from './errors.ts';
export type {
  ApiKeySource,
  BodyOptions,
  CallOptions,
  ExtraOptions,
  Fetch,
  FetchAnswer,
  FetchInit,
  LogFields,
  Logger,
  RetryOptions,
  SpeechClientOptions,
  SpeechOptions,
  Timeouts,
  TranscriptionOptions,
} from './options.ts';
export { type AudioSource, type AudioStream, type ReadAudioOptions, readAudio } from './read-audio.ts';
export type { ModelList, ModelPage, ModelsResource, WaitOptions } from './resources/models.ts';
export type { SpeechResource } from './resources/speech.ts';
export type { SpeechAudio } from './resources/speech-audio.ts';
export type { SpeechStream } from './resources/speech-stream.ts';
export type { TranscriptionsResource } from './resources/transcriptions.ts';
export type { WalletResource } from './resources/wallet.ts';
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  InsufficientCreditError,
  InvalidRequestError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionDeniedError,
  ServerError,
  TooManyRequestsError,
  TrainingError,
  UnsupportedMediaTypeError,
} from './service-errors.ts';
export type { ClientSettings } from './settings.ts';
export { type SpokenTurn, speakersOf } from './speakers.ts';
export {
  type CallOutcome,
  type CallSpan,
  createTrace,
  type Trace,
  type TracedCall,
  type TraceSource,
} from './trace.ts';
