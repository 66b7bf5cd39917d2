export { type CheckReport, check } from './check/check.ts';
export { CannotJudge, UsageError } from './command/command.ts';
export type {
  BodyEnd,
  Criterion,
  Exchange,
  Expectation,
  GroupMembership,
  Headers,
  HttpExchange,
  LiveClose,
  LiveExchange,
  LiveMessage,
  RecordedChunk,
  RecordedRequest,
  RecordedResponse,
  RefusalExpected,
  Relation,
  Source,
  SuccessExpected,
} from './exchange.ts';
export { type Baseline, baselineOf, type KnownViolation } from './judge/baseline.ts';
export type { Coverage, CoverageCell, Uncovered } from './judge/coverage.ts';
export { judge } from './judge/judge.ts';
export type { Finding, JudgedExchange, JudgeOptions, Profile, Report, Severity } from './judge/report.ts';
export { exitCodeOf, type Strictness } from './judge/report.ts';
export type { CopyLimits } from './proxy/copies.ts';
export {
  type ContractProxy,
  type ContractProxyOptions,
  type ProxyReport,
  type ProxySummary,
  startContractProxy,
} from './proxy/proxy.ts';
export { type ReportFormat, reportFormats, writeReport } from './report/write-report.ts';
export { type Guess, type SettleOptions, type SettleReport, settle } from './settle/settle.ts';
export type { LeftOut, Plan } from './verify/plan.ts';
export { operationsOf } from './verify/scenarios/index.ts';
export type { Budget, Cost, Scenario, Step } from './verify/step.ts';
export type { TransportLimits } from './verify/transport/send-call.ts';
export type { RunSummary, VerifyReport } from './verify/verify.ts';
export { planFor, scenariosFor, type VerifyOptions, verify } from './verify/verify.ts';
