export {
  readServerOptions,
  runServerCommand,
  type ServerOptionValues,
  serverOptionsHelp,
  versionOf,
} from './command-line.ts';
export { decodeMultipart, type FormEntry, readBody } from './decode.ts';
export {
  type Exchange,
  newTraceId,
  readBearerKey,
  readTraceId,
  type Service,
  type Visit,
} from './exchange.ts';
export { CutOnPurpose, faultHeader } from './faults.ts';
export type { ReceiverOptions } from './judge.ts';
export { createLiveEndpoint, type LiveEndpoint, switchingProtocols } from './live/endpoint.ts';
export { createLiveReceiver } from './live/messages.ts';
export type { LiveSpeech, TimedPiece } from './live/session.ts';
export { checkNode } from './node-version.ts';
export type { Operation } from './operations.ts';
export { createReceiver, type ReceivedCall, type Receiver, type ServerChecks } from './receive.ts';
export {
  overloadHeaders,
  Refusal,
  reasonOf,
  type ValidationIssue,
  withoutKey,
  withoutValues,
} from './refusal.ts';
export { isObject, type JsonObject, type Schema } from './schema.ts';
export { sendJson, sendNothing, sendStream } from './send.ts';
export { type RunningServer, type ServeOptions, startServer } from './serve.ts';
export { createValidator } from './validator.ts';
export { suggest } from './words.ts';
