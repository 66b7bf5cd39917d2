export { openAudioFile } from './open-audio-file.ts';
export { type SavableAudio, saveTo } from './save-to.ts';
