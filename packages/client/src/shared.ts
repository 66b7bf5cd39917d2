// What the client shares with our packages above it, such as `@speech-api/live`. Applications need none of it.
export { createApiError, parseError, shorten } from './api-error.ts';
export { withExtra } from './core/check.ts';
export { joinParts } from './core/encode.ts';
export { startDeadline, unlessAborted } from './core/timer.ts';
export { isBrowser } from './runtime.ts';
