export {
  checkNode,
  explainStartError,
  readServerOptions,
  runServerCommand,
  type ServerCommand,
  type ServerOptionValues,
  serverOptionsHelp,
  versionOf,
} from './command-line.ts';
export { type BodySource, chooseMediaType, type DecodedBody, decodeBody, readBody } from './decode/body.ts';
export {
  DecodeFailure,
  type DecodeFailureDetails,
  type DecodeLimits,
  type DecodeRefusal,
  defaultDecodeLimits,
} from './decode/failure.ts';
export { decodeMultipart, decodeUrlEncoded, type FilePart, type FormEntry } from './decode/form.ts';
export { decodeJson } from './decode/json.ts';
export { decodeMessagePack } from './decode/msgpack.ts';
export {
  type FaultRule,
  type Faults,
  faultHeader,
  readFaultOption,
  readFaults,
  readRule,
} from './faults/faults.ts';
export { CutOnPurpose } from './faults/misbehave.ts';
export {
  createLiveEndpoint,
  type LiveEndpoint,
  type LiveEndpointOptions,
  type LiveService,
  switchingProtocols,
  type Upgrade,
} from './live/endpoint.ts';
export {
  createLiveReceiver,
  encodeLiveMessage,
  type LiveReceiver,
  type LiveReceiverOptions,
} from './live/messages.ts';
export type { LiveSpeech, OpenSpeech, TimedPiece } from './live/session.ts';
export type { ReceiverOptions } from './receive/judge.ts';
export {
  createReceiver,
  type ReceivedCall,
  type Receiver,
  type ServerChecks,
} from './receive/receive.ts';
export type { IncomingRequest } from './receive/request.ts';
export { createRouter, type Route, type Router } from './receive/router.ts';
export {
  type Check,
  type Checks,
  checkInOrder,
  type GeneralErrorBody,
  maximumIssues,
  Refusal,
  type RefusalDetails,
  reasonOf,
  refusalEntry,
  type ValidationIssue,
  withoutValues,
} from './refuse/refusal.ts';
export { createOriginPolicy, type OriginPolicy, type OriginPolicyOptions } from './serve/origins.ts';
export { type StreamOptions, sendJson, sendNothing, sendStream } from './serve/send.ts';
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
export { loadDocument, type OpenApiDocument, type Schema } from './spec/document.ts';
export { type Operation, readOperations } from './spec/operations.ts';
export {
  type Job,
  JobLimitError,
  type JobLimits,
  JobPool,
  type JobReport,
  programBeside,
} from './threads/job-pool.ts';
export { type LooseRequest, skippedRules, type ToleratedOperation, tolerate } from './tolerate.ts';
export type { DescribedError, RequestPart } from './validate/describe.ts';
export { type BrokenRule, findBrokenRule, type RuleSubject } from './validate/rules.ts';
export { createValidator, type Validated, type Validator } from './validate/validator.ts';
