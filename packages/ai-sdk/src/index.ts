export {
  createSpeechProvider,
  type SpeechProvider,
  type SpeechProviderSettings,
  type TranscriptionModelId,
} from './provider.ts';
