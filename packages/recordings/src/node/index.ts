export { type OpenJournal, openJournal, readJournal } from './journal.ts';
export { openRecording } from './open-recording.ts';
