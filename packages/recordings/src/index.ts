export { type Chapter, writePodcastChapters } from './chapters.ts';
export { cutRecording } from './cut-recording.ts';
export type { CutOptions, RecordingPart } from './cutter.ts';
export { partsOf, RecordingError, type RecordingErrorKind } from './errors.ts';
export { type AudioTags, checkMetadata, maximumCoverBytes } from './metadata.ts';
export { planSpeech, type SpeechPlan } from './plan-speech.ts';
export type { RecordingSource, SeekableSource } from './source.ts';
export {
  findKeptSpeech,
  type LongSegment,
  type LongSpeech,
  type SpeakLongOptions,
  speakLong,
} from './speak-long.ts';
export { splitText } from './split-text.ts';
export type { PartTranscript } from './stitch.ts';
export {
  type Journal,
  type PlanRecordingOptions,
  planRecording,
  type RecordingPlan,
  type RecordingProgress,
  type TranscribeRecordingOptions,
  transcribeRecording,
} from './transcribe-recording.ts';
export { type Paragraph, RecordingTranscript, type TranscriptJson } from './transcript.ts';
