// The parts of the client that many programs never need: a page that only speaks a text is spared them.

export { createApiError, plainBody } from './api-error.ts';
export { cutError, redirectTarget, refuseMediaType } from './core/unexpected.ts';
export { encodeBody, encodeOptions } from './encode.ts';
export * from './resources/operations.ts';
export { requireSpeech } from './resources/speech-check.ts';
export { SpeechStream } from './resources/speech-stream.ts';
export { faultOf } from './short-clip.ts';
