export {
  createSpeechProvider,
  type SpeechProvider,
  type SpeechProviderSettings,
} from './provider.ts';
