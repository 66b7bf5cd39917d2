export { type CheckReport, check, checkRequest } from './check/check.ts';
export { CannotJudge, UsageError } from './errors.ts';
export type {
  BodyEnd,
  Exchange,
  Expectation,
  GroupMembership,
  Headers,
  HttpExchange,
  LiveClose,
  LiveExchange,
  LiveMessage,
  RecordedRequest,
  RecordedResponse,
  RefusalExpected,
  Relation,
  Source,
  SuccessExpected,
} from './exchange.ts';
export { explainRule } from './explain.ts';
export { judge } from './judge/judge.ts';
export {
  type Baseline,
  baselineOf,
  type Cost,
  type Coverage,
  type CoverageCell,
  exitCodeOf,
  type Finding,
  type JudgedExchange,
  type JudgeOptions,
  type KnownViolation,
  type Profile,
  type Report,
  type RunSummary,
  type Strictness,
  type Uncovered,
} from './judge/report.ts';
export { type Recorder, type RecordOptions, startRecorder } from './record.ts';
export { type ReportFormat, reportFormats, writeReport } from './report/write-report.ts';
export type { Severity } from './specification/rules.ts';
export type { TransportLimits } from './transport/send-call.ts';
export { type Choice, type ChoiceOptions, type LeftOut, operationsOf, scenarios } from './verify/choose.ts';
export type { Scenario, Step } from './verify/step.ts';
export { planFor, type VerifyOptions, type VerifyReport, verify } from './verify/verify.ts';
