export type { RecordedCall, Violation } from './calls.ts';
export { type MockOptions, type RunningMock, startMock } from './start-mock.ts';
