export type { RecordedCall, Violation } from './calls/recorded-call.ts';
export { type MockOptions, type RunningMock, startMock } from './start-mock.ts';
