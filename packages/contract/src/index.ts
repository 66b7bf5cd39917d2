export { type CheckReport, check } from './check/check.ts';
export { checkRequest } from './check/check-request.ts';
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
export { type Baseline, baselineOf, type KnownViolation } from './judge/baseline.ts';
export type { Coverage, CoverageCell, Uncovered } from './judge/coverage.ts';
export { judge } from './judge/judge.ts';
export type {
  Cost,
  Finding,
  JudgedExchange,
  JudgeOptions,
  Profile,
  Report,
  RunSummary,
} from './judge/report.ts';
export { exitCodeOf, type Strictness } from './judge/report.ts';
export {
  type ContractProxy,
  type ContractProxyOptions,
  startContractProxy,
} from './proxy/proxy.ts';
export type { CopyLimits } from './proxy/record.ts';
export type { ProxyReport, ProxySummary } from './proxy/recorder.ts';
export { type ReportFormat, reportFormats, writeReport } from './report/write-report.ts';
export type { Severity } from './specification/rules.ts';
export type { TransportLimits } from './transport/send-call.ts';
export type { Budget } from './verify/budget.ts';
export type { LeftOut, Plan } from './verify/plan.ts';
export { operationsOf } from './verify/scenarios/index.ts';
export { type Guess, type SettleOptions, type SettleReport, settle } from './verify/settle/settle.ts';
export type { Scenario, Step } from './verify/step.ts';
export type { VerifyReport } from './verify/verify.ts';
export { planFor, scenariosFor, type VerifyOptions, verify } from './verify/verify.ts';
