export { type CutOptions, cutRecording, type RecordingPart } from './cut-recording.ts';
export { RecordingError, type RecordingErrorKind } from './errors.ts';
export type { PartTranscript } from './stitch.ts';
export {
  type Journal,
  planRecording,
  type RecordingPlan,
  type RecordingProgress,
  type RecordingSource,
  type TranscribeRecordingOptions,
  transcribeRecording,
} from './transcribe-recording.ts';
export { type Paragraph, RecordingTranscript, type TranscriptJson } from './transcript.ts';
