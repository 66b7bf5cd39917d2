export type { SpeechStreamBody } from './byte-source.ts';
export type { TimedText } from './caption-pieces.ts';
export { type CaptionCue, type CaptionOptions, toCues, writeSrt, writeVtt } from './captions.ts';
export { type CollectedSpeech, collectSpeech } from './collect-speech.ts';
export { SpeechStreamError, type SpeechStreamErrorDetails, type SpeechStreamErrorKind } from './errors.ts';
export type {
  AlignmentUpdateEvent,
  AudioChunkEvent,
  ChunkStartEvent,
  EndEvent,
  SpeechEvent,
} from './events.ts';
export {
  defaultMaximumEventLength,
  type ReadSpeechEventsOptions,
  readSpeechEvents,
} from './read-speech-events.ts';
export { Timeline, type TimelineChunk, type TimelineJson, type TimelineSegment } from './timeline.ts';
