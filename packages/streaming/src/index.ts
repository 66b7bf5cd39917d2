export {
  asWritten,
  type CaptionCue,
  type CaptionOptions,
  type TimedText,
  toCues,
  writeSrt,
  writeVtt,
} from './captions.ts';
export {
  type AlignmentUpdateEvent,
  type AudioChunkEvent,
  type ChunkStartEvent,
  type EndEvent,
  type SpeechEvent,
  SpeechStreamError,
  type SpeechStreamErrorKind,
} from './events.ts';
export type { Body as SpeechStreamBody } from './pieces.ts';
export {
  type CollectedSpeech,
  collectSpeech,
  defaultMaximumEventLength,
  type ReadSpeechEventsOptions,
  readSpeechEvents,
  SpeechEventParser,
} from './read-speech-events.ts';
export {
  Timeline,
  type TimelineCaptionOptions,
  type TimelineChunk,
  type TimelineJson,
  type TimelineSegment,
} from './timeline.ts';
