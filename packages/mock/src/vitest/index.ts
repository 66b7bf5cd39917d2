import type { OperationId } from '@speech-api/types';
import { expect } from 'vitest';
import type { RecordedCall } from '../calls/recorded-call.ts';
import { toBeValidRequest, toHaveCalled } from './matchers.ts';

export { toBeValidRequest, toHaveCalled } from './matchers.ts';
export { type MockUnderTest, useMock } from './use-mock.ts';

/** What this module adds to `expect`. */
export interface SpeechMockMatchers<Result = unknown> {
  /**
   * Whether a mock was called for an operation, such as `createSpeech`.
   *
   * @param settings those that have to have been sent, such as `{ format: 'opus' }`; never a text
   */
  toHaveCalled(operationId: OperationId, settings?: RecordedCall['settings']): Result;
  /** Whether a call, or every call of a mock, kept the specification. */
  toBeValidRequest(): Result;
}

declare module 'vitest' {
  // The parameters are those of the interface that is added to.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown>
    extends SpeechMockMatchers<R> {}
}

expect.extend({ toHaveCalled, toBeValidRequest });
