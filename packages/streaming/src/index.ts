export { asWritten } from './as-written.ts';
export {
  type CaptionCue,
  type CaptionOptions,
  type TimedText,
  toCues,
  writeSrt,
  writeVtt,
} from './captions.ts';
export { SpeechStreamError, type SpeechStreamErrorDetails, type SpeechStreamErrorKind } from './errors.ts';
export type {
  AlignmentUpdateEvent,
  AudioChunkEvent,
  ChunkStartEvent,
  EndEvent,
  SpeechEvent,
} from './events.ts';
export {
  type CollectedSpeech,
  collectSpeech,
  defaultMaximumEventLength,
  type ReadSpeechEventsOptions,
  readSpeechEvents,
  type SpeechEventReader,
  type SpeechStreamBody,
} from './read-speech-events.ts';
export { Timeline, type TimelineChunk, type TimelineJson, type TimelineSegment } from './timeline.ts';
