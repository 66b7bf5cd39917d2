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
export type {
  Cost,
  Coverage,
  CoverageCell,
  Finding,
  JudgedExchange,
  JudgeOptions,
  Profile,
  Report,
  RunSummary,
  Uncovered,
} from './judge/report.ts';
export {
  type Baseline,
  baselineOf,
  exitCodeOf,
  type KnownViolation,
  type Strictness,
} from './judge/report.ts';
export { type Recorder, type RecordOptions, startRecorder } from './record.ts';
export { type ReportFormat, reportFormats, writeReport } from './report/write-report.ts';
export type { Severity } from './specification/rules.ts';
export type { TransportLimits } from './transport/send-call.ts';
export type { Choice, ChoiceOptions, LeftOut } from './verify/choose.ts';
export { operationsOf, scenarios } from './verify/choose.ts';
export type { Scenario, Step } from './verify/step.ts';
export { planFor, type VerifyOptions, type VerifyReport, verify } from './verify/verify.ts';
