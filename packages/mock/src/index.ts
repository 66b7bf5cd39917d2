export type { RecordedAudio, RecordedCall, RecordMode, SentRequest, Violation } from '@speech-api/server';
export { createMockFetch, type MockFetch, type MockFetchOptions } from './mock-fetch.ts';
export type { MockCalls, MockSettings } from './service.ts';
export { type MockOptions, type RunningMock, startMock } from './start-mock.ts';
