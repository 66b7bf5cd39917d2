export { type CheckReport, check } from './check/check.ts';
export { CannotJudge, UsageError } from './command/failures.ts';
export type { Exchange } from './exchange/exchange.ts';
export type { Expectation, RefusalExpected, SuccessExpected } from './exchange/expectation.ts';
export type { GroupMembership, Relation } from './exchange/group.ts';
export type {
  BodyEnd,
  Criterion,
  Headers,
  HttpExchange,
  RecordedChunk,
  RecordedRequest,
  RecordedResponse,
} from './exchange/http-exchange.ts';
export type { LiveClose, LiveExchange, LiveMessage } from './exchange/live-exchange.ts';
export type { Source } from './exchange/source.ts';
export { type Baseline, baselineOf, type KnownViolation } from './judge/baseline.ts';
export type { Coverage, CoverageCell, Uncovered } from './judge/coverage.ts';
export { exitCodeOf, type Strictness } from './judge/exit-code.ts';
export type { Finding, Severity } from './judge/finding.ts';
export { judge } from './judge/judge.ts';
export type { JudgeOptions, Profile } from './judge/options.ts';
export type { JudgedExchange, Report } from './judge/report.ts';
export { type ReportFormat, reportFormats, writeReport } from './report/write-report.ts';
export type { Budget } from './verify/budget.ts';
export type { LeftOut, Plan } from './verify/plan.ts';
export type { RunSummary, VerifyReport } from './verify/run-summary.ts';
export { operationsOf } from './verify/scenarios/index.ts';
export type { Cost, Scenario, Step } from './verify/step.ts';
export type { TransportLimits } from './verify/transport/send-call.ts';
export { planFor, scenariosFor, type VerifyOptions, verify } from './verify/verify.ts';
