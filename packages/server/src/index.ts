export {
  createOriginPolicy,
  type OriginPolicy,
  type OriginPolicyOptions,
} from './cross-origin/origin-policy.ts';
export { type DecodedBody, decodeBody } from './decode/decode-body.ts';
export { DecodeFailure, type DecodeFailureDetails, type DecodeRefusal } from './decode/failure.ts';
export type { FilePart, FormEntry } from './decode/form.ts';
export { decodeJson } from './decode/json.ts';
export { type DecodeLimits, defaultDecodeLimits } from './decode/limits.ts';
export { chooseMediaType } from './decode/media-type.ts';
export { decodeMessagePack } from './decode/msgpack.ts';
export { decodeMultipart } from './decode/multipart.ts';
export { type BodySource, readBody } from './decode/read-body.ts';
export { decodeUrlEncoded } from './decode/urlencoded.ts';
export { type Faults, faultExamples, readFaults, wordsOf } from './faults/faults.ts';
export { FaultyResponse } from './faults/faulty-response.ts';
export { type FaultRule, readRule } from './faults/rule.ts';
export type { LiveClientMessage } from './live/client-message.ts';
export { closeCodes, closeReason } from './live/close-codes.ts';
export { createLiveReceiver, type LiveReceiver, type LiveReceiverOptions } from './live/live-receiver.ts';
export { encodeLiveMessage, type LiveServerMessage } from './live/server-message.ts';
export { responseTo, type Upgrade, wantsUpgrade } from './live/upgrade.ts';
export type { IncomingRequest } from './receive/read-request.ts';
export {
  createReceiver,
  type ReceivedCall,
  type Receiver,
  type ReceiverOptions,
  type ServerChecks,
} from './receive/receive.ts';
export { type Check, type Checks, checkInOrder } from './refuse/in-order.ts';
export { type GeneralErrorBody, Refusal, type RefusalDetails, refusalEntry } from './refuse/refusal.ts';
export { answerBrokenRequest } from './respond/broken-request.ts';
export { type ListeningAt, listen } from './respond/listen.ts';
export { sendJson } from './respond/send-json.ts';
export { sendNothing } from './respond/send-nothing.ts';
export { sendRefusal } from './respond/send-refusal.ts';
export { type StreamOptions, sendStream } from './respond/send-stream.ts';
export { httpServerOptions, stalledMilliseconds } from './respond/server-options.ts';
export { createRouter, type Route, type Router } from './route/router.ts';
export { loadDocument, type OpenApiDocument, type Schema } from './spec/document.ts';
export { type Operation, readOperations } from './spec/operations.ts';
export { type LooseRequest, skippedRules, type ToleratedOperation, tolerate } from './tolerate/tolerate.ts';
export { newTraceId, readTraceId, traceIdOf } from './trace/trace.ts';
export type { DescribedError, RequestPart } from './validate/describe-error.ts';
export { mostIssues, type ValidationIssue } from './validate/issue.ts';
export { type BrokenRule, findBrokenRule, type RuleSubject } from './validate/rules.ts';
export { createValidator, type Validated, type Validator } from './validate/validator.ts';
