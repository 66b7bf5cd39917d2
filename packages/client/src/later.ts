// The parts of the client that many programs never need: a page that only speaks a text is spared them.

export { encodeRequest } from '@speech-api/msgpack';
export { createApiError, plainBody } from './api-error.ts';
export { cutError, redirectTarget, refuseMediaType } from './core/unexpected.ts';
export * from './resources/operations.ts';
export { requireSpeech } from './resources/speech-check.ts';
export { SpeechStream } from './resources/speech-stream.ts';
export { encodeForm, requireReadable, streamParts } from './send-binary.ts';
export { hasSound } from './short-clip.ts';
