export { openAudioFile } from './open-audio-file.ts';
export { type AudioStream, type ReadAudioOptions, readAudio } from './read-audio.ts';
export { type SavableAudio, saveTo } from './save-to.ts';
