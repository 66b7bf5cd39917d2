export { cutRecording } from './cut-recording.ts';
export type { CutHooks, CutOptions, RecordingPart } from './cutter.ts';
export { partsOf, RecordingError, type RecordingErrorKind } from './errors.ts';
export { JobPool } from './run-parts.ts';
export type { RecordingSource, SeekableSource } from './source.ts';
export {
  findKeptSpeech,
  type LongSpeech,
  type SpeakLongOptions,
  type SpeechCaptionOptions,
  type SpeechService,
  speakLong,
} from './speak-long.ts';
export { planSpeech, type SpeechPlan } from './split-text.ts';
export type { PartTranscript, PartTurn } from './stitch.ts';
export {
  type Journal,
  type PartRequest,
  type PlanRecordingOptions,
  planRecording,
  type RecordingPlan,
  type RecordingProgress,
  type TranscribeRecordingOptions,
  transcribeRecording,
} from './transcribe-recording.ts';
export { type Paragraph, RecordingTranscript, type TranscriptJson } from './transcript.ts';
