export { type CutOptions, cutRecording, type RecordingPart } from './cut-recording.ts';
export { RecordingError, type RecordingErrorKind } from './errors.ts';
