export type { ClipFacts, FileFacts, HeardFile } from './clip-facts.ts';
export type { Span } from './measure/voice-activity.ts';
export { UnreadableAudioError } from './unreadable-audio-error.ts';
export { createUploads, type ReadOptions, type Uploads, type UploadsOptions } from './uploads.ts';
