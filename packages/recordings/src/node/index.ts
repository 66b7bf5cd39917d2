export { type CutInWorkerOptions, cutInWorker } from './cut-in-worker.ts';
export { openJournal, type OpenJournal } from './journal.ts';
export { openRecording } from './open-recording.ts';
