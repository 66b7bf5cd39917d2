export {
  readServerOptions,
  runServerCommand,
  type ServerOptionValues,
  serverOptionsHelp,
  versionOf,
} from './command-line.ts';
export { readBody } from './decode/body.ts';
export { DecodeFailure } from './decode/failure.ts';
export { decodeMultipart, type FormEntry } from './decode/form.ts';
export { faultHeader } from './faults/faults.ts';
export { CutOnPurpose } from './faults/misbehave.ts';
export { createLiveEndpoint, type LiveEndpoint, switchingProtocols } from './live/endpoint.ts';
export { createLiveReceiver } from './live/messages.ts';
export type { LiveSpeech, TimedPiece } from './live/session.ts';
export { checkNode } from './node-version.ts';
export type { ReceiverOptions } from './receive/judge.ts';
export { createReceiver, type ReceivedCall, type Receiver, type ServerChecks } from './receive/receive.ts';
export {
  overloadHeaders,
  Refusal,
  reasonOf,
  type ValidationIssue,
  withoutKey,
  withoutValues,
} from './refuse/refusal.ts';
export { sendJson, sendNothing, sendStream } from './serve/send.ts';
export {
  type Exchange,
  type RunningServer,
  readBearerKey,
  type ServeOptions,
  type Service,
  startServer,
  type Visit,
} from './serve/serve.ts';
export { newTraceId, readTraceId } from './serve/trace.ts';
export type { Operation } from './spec/operations.ts';
export type { Schema } from './spec/schema.ts';
export { type Job, JobLimitError, JobPool, type JobReport, programBeside } from './threads/job-pool.ts';
export { createValidator } from './validate/validator.ts';
