export {
  type Answer,
  bytesAnswer,
  CutOnPurpose,
  emptyAnswer,
  jsonAnswer,
  type LiveService,
  type LiveSpeech,
  overloadHeaders,
  Refusal,
  rangeAnswer,
  reasonOf,
  switchingProtocols,
  type TimedPiece,
  type ValidationIssue,
  withoutKey,
  withoutValues,
} from './answer.ts';
export {
  type AnsweringParts,
  answerCall,
  Call,
  type Outcome,
  readBearerKey,
  readTraceId,
  type Service,
  type Visit,
} from './call.ts';
export {
  bytesWritten,
  CallLog,
  isSetting,
  type OpenCall,
  type RecordedAudio,
  type RecordedCall,
  type RecordMode,
  type SentRequest,
  shownPath,
  type Violation,
  wordsOf,
} from './call-log.ts';
export { callsPath, tryIt } from './call-pages.ts';
export { decodeMultipart, type FormEntry, readBody } from './decode.ts';
export { strictWords } from './describe.ts';
export { faultHeader, planFaults, readFaultOption } from './faults.ts';
export { createLiveReceiver, type LiveReceiver } from './live/messages.ts';
export type { Operation } from './operations.ts';
export { OriginPolicy } from './origins.ts';
export { createReceiver, type IncomingRequest, type ReceivedCall, type Receiver } from './receive.ts';
export { isBytes, isObject, type JsonObject, propertiesOf, type Schema } from './schema.ts';
export { type RunningServer, type ServeOptions, startServer } from './serve.ts';
export { createValidator } from './validator.ts';
export { suggest } from './words.ts';
