export { type BodySource, chooseMediaType, type DecodedBody, decodeBody, readBody } from './decode/body.ts';
export {
  DecodeFailure,
  type DecodeFailureDetails,
  type DecodeLimits,
  type DecodeRefusal,
  defaultDecodeLimits,
} from './decode/failure.ts';
export type { FilePart, FormEntry } from './decode/form.ts';
export { decodeMultipart, decodeUrlEncoded } from './decode/form.ts';
export { decodeJson } from './decode/json.ts';
export { decodeMessagePack } from './decode/msgpack.ts';
export {
  type FaultRule,
  type Faults,
  faultExamples,
  readFaults,
  readRule,
  wordsOf,
} from './faults/faults.ts';
export { FaultyResponse } from './faults/faulty-response.ts';
export { responseTo, type Upgrade, wantsUpgrade } from './live/endpoint.ts';
export type { LiveClientMessage } from './live/messages.ts';
export {
  closeCodes,
  closeReason,
  createLiveReceiver,
  encodeLiveMessage,
  type LiveReceiver,
  type LiveReceiverOptions,
  type LiveServerMessage,
} from './live/messages.ts';
export {
  createReceiver,
  type ReceivedCall,
  type Receiver,
  type ReceiverOptions,
  type ServerChecks,
} from './receive/receive.ts';
export type { IncomingRequest } from './receive/request.ts';
export { createRouter, type Route, type Router } from './receive/router.ts';
export {
  type Check,
  type Checks,
  checkInOrder,
  type GeneralErrorBody,
  mostIssues,
  Refusal,
  type RefusalDetails,
  refusalEntry,
  type ValidationIssue,
} from './refuse/refusal.ts';
export { answerBrokenRequest, sendRefusal } from './refuse/send-refusal.ts';
export {
  createOriginPolicy,
  type OriginPolicy,
  type OriginPolicyOptions,
} from './serve/origins.ts';
export { type StreamOptions, sendJson, sendNothing, sendStream } from './serve/send.ts';
export { httpServerOptions, type ListeningAt, listen, stalledMilliseconds } from './serve/serve.ts';
export { newTraceId, readTraceId, traceIdOf } from './serve/trace.ts';
export { loadDocument, type OpenApiDocument, type Schema } from './spec/document.ts';
export { type Operation, readOperations } from './spec/operations.ts';
export { type LooseRequest, skippedRules, type ToleratedOperation, tolerate } from './tolerate.ts';
export type { DescribedError, RequestPart } from './validate/describe.ts';
export { type BrokenRule, findBrokenRule, type RuleSubject } from './validate/rules.ts';
export { createValidator, type Validated, type Validator } from './validate/validator.ts';
