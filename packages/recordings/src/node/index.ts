export { type CutInWorkerOptions, cutInWorker } from './cut-in-worker.ts';
export { type OpenJournal, openJournal } from './journal.ts';
export { openRecording } from './open-recording.ts';
