import { operationTable, synthesisRanges } from '@speech-api/types';

/** Operations whose bad keys are tried on the voice model that `voice-kept` makes. */
const inVoiceKept: readonly string[] = ['getModel', 'updateModel', 'deleteModel'];

/**
 * Scenarios that a run sends first, in this order, within its budget; all others follow by their priority.
 *
 * With the default budget exactly the first group fits: a success of every operation, a bad key for each, a limit of
 * every range, and each relation between answers. It ends with what a new operation or field may push out. The second
 * group is for runs that may not write, and for servers without state, where a part of the first is left out.
 */
export const defaultRun: readonly string[] = [
  'stream-encodings',
  'live-session',
  'speech-mp3-7',
  'speech-traceparent-invalid',
  'speech-pcm-5',
  'transcription-encodings',
  'wallet-own',
  ...Object.keys(operationTable)
    .filter((id) => !inVoiceKept.includes(id))
    .map((id) => `bad key of ${id}`),
  'key-lower-case',
  'speech-bitrates',
  'stream-balanced',
  'live-trace',
  'speech-long-pcm',
  'list-pages',
  'inline-voices-of-two',
  'transcription-without-audio',
  'transcription-too-short',
  ...Object.keys(synthesisRanges).map((name) => `a limit of ${name}`),
  'speech-media-type',
  'transcription-as-json',
  'voice-a-change-as-plain-text',
  'speech-against-itself',
  'list-page-too-small',
  'list-by-a-title-that-nothing-has',
  'speech-wrong-an-unknown-format',
  'rule-sample-rate-of-wav-and-pcm',
  'rule-sample-rate-of-mp3',
  'rule-sample-rate-of-opus',
  'rule-dialogue-not-on-s1',
  'rule-dialogue-only-on-s2-pro',
  'voice-kept',
  'list-page-size-too-small',
  'transcription-of-two-files',
  'speech-wrong-an-unknown-latency',

  'voice-read-and-used',
  'key-missing-getModel',
  'key-missing-createSpeech',
  'key-missing-streamSpeechWithTimestamps',
  'key-missing-openLiveSession',
  'key-missing-createTranscription',
  'key-missing-listModels',
  'key-missing-getApiCredit',
  'key-missing-getPackage',
  'list-by-self',
  'speech-without-text',
  'transcription-language-number',
];
