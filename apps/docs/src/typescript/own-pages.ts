/**
 * Symbols that readers look up by name and read at length: each has a page of its own. All others are on the
 * page of their package.
 */
export const ownPages: Readonly<Record<string, readonly string[]>> = {
  client: [
    'createSpeechClient',
    'SpeechClient',
    'SpeechClientOptions',
    'CallOptions',
    'RetryOptions',
    'Timeouts',
    'SpeechResource',
    'SpeechRequest',
    'SpeechAudio',
    'SpeechStream',
    'TranscriptionsResource',
    'ModelsResource',
    'ModelList',
    'WalletResource',
    'SpeechError',
    'ApiError',
    'createTrace',
    'Logger',
  ],
  'client/node': ['openAudioFile', 'saveTo', 'readAudio'],
  'client/captions': ['toVtt', 'toSrt'],
  live: ['connectLive', 'LiveConnection', 'LiveSpeech', 'createLivePool'],
  recordings: ['transcribeRecording', 'speakLong', 'cutRecording'],
  streaming: ['Timeline', 'SpeechEvent', 'readSpeechEvents'],
  'audio/player': ['openPlayer', 'Player'],
  msgpack: ['encodeRequest'],
  'ai-sdk': ['createSpeechProvider'],
  relay: ['startRelay', 'createRelay'],
  mock: ['startMock'],
  'mock/vitest': ['useMock'],
  contract: ['verify'],
  sandbox: ['startSandbox'],
};
