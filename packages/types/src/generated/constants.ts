/*
 * Generated, do not edit: change the specification and run `npm run generate`.
 * From:
 *   @speech-api/spec/openapi.json  sha256 4520a8e07be84020
 */

/** The version of `@speech-api/spec` that all of this is generated from. That of the interface is another one. */
export const specificationVersion = '0.1.0' as const;

/** The text-to-speech models the service names. Other names are legal: new models appear. */
export const synthesisModels = ['s1', 's2-pro', 's2.1-pro', 's2.1-pro-free'] as const;

/** The default model. */
export const defaultModel = 's2-pro' as const;

/** How each model marks directions in the text: `listed` tags are those of `expressions`, `free` ones are any words between the brackets. Other models use the style of the default model. */
export const expressionStyles = {
  s1: { open: '(', close: ')', tags: 'listed' },
  's2-pro': { open: '[', close: ']', tags: 'free' },
  's2.1-pro': { open: '[', close: ']', tags: 'free' },
  's2.1-pro-free': { open: '[', close: ']', tags: 'free' },
} as const;

/** The models that the service retires: from a day on, another model serves their requests. */
export const modelRetirements = [
  { model: 's1', from: '2026-12-31', served_by: 's2.1-pro' },
  { model: 'transcribe-1', from: '2026-12-31', served_by: 'its successor' },
] as const;

/** The models the service names for the timestamped stream. Others are let through. */
export const streamModels = ['s1', 's2-pro'] as const;

/** The speech-to-text models the service names. Other names are legal: new models appear. */
export const transcriptionModels = ['transcribe-1', 'transcribe-1-pro'] as const;

/** The speech-to-text model of a request that names none. */
export const defaultTranscriptionModel = 'transcribe-1' as const;

/** The formats of generated audio. */
export const audioFormats = ['wav', 'pcm', 'mp3', 'opus'] as const;

/** The sample rates of each format, in Hz. */
export const sampleRates = {
  wav: [8000, 16000, 24000, 32000, 44100],
  pcm: [8000, 16000, 24000, 32000, 44100],
  mp3: [32000, 44100],
  opus: [48000],
} as const;

/** The sample rate of each format when none is asked for, in Hz. */
export const defaultSampleRates = { wav: 44100, pcm: 44100, mp3: 44100, opus: 48000 } as const;

/** The media type of each format. A service may also answer `application/octet-stream` for any of them. */
export const audioMediaTypes = {
  wav: 'audio/wav',
  pcm: 'audio/pcm',
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
} as const;

/** The number of channels of each format. */
export const audioChannels = { wav: 1, pcm: 1, mp3: 1, opus: 1 } as const;

/** The width of a sample in the uncompressed formats, in bits. */
export const bitsPerSample = { wav: 16, pcm: 16 } as const;

/** The bitrates of mp3, in kbps. */
export const mp3Bitrates = [64, 128, 192] as const;

/** The bitrates of opus, in bps; the negative one is automatic. */
export const opusBitrates = [-1000, 24000, 32000, 48000, 64000] as const;

/** The media types of bodies, audio apart. */
export const mediaTypes = {
  json: 'application/json',
  msgpack: 'application/msgpack',
  multipart: 'multipart/form-data',
  urlencoded: 'application/x-www-form-urlencoded',
  eventStream: 'text/event-stream',
} as const;

/** Names of headers, in lower case. */
export const headerNames = {
  authorization: 'authorization',
  model: 'model',
  traceparent: 'traceparent',
  traceId: 'x-trace-id',
  requestId: 'x-request-id',
  concurrencyLimit: 'ratelimit-limit-concurrency',
  concurrencyInUse: 'ratelimit-current-concurrency',
  retryAfter: 'retry-after',
} as const;

/** The default format of audio. */
export const defaultFormat = 'mp3' as const;

/** What a synthesis request means where it says nothing. */
export const synthesisDefaults = {
  temperature: 0.7,
  top_p: 0.7,
  chunk_length: 300,
  normalize: true,
  format: 'mp3',
  sample_rate: null,
  mp3_bitrate: 128,
  opus_bitrate: -1000,
  latency: 'normal',
  max_new_tokens: 1024,
  repetition_penalty: 1.2,
  min_chunk_length: 50,
  condition_on_previous_chunks: true,
  early_stop_threshold: 1,
} as const;

/** What `prosody` means where it says nothing. */
export const prosodyDefaults = { speed: 1, volume: 0, normalize_loudness: true } as const;

/** The ranges of the numbers of a synthesis request, both ends allowed. */
export const synthesisRanges = {
  temperature: { minimum: 0, maximum: 1 },
  top_p: { minimum: 0, maximum: 1 },
  chunk_length: { minimum: 100, maximum: 300 },
  min_chunk_length: { minimum: 0, maximum: 100 },
  early_stop_threshold: { minimum: 0, maximum: 1 },
  'prosody.speed': { minimum: 0.5, maximum: 2 },
} as const;

/** What a transcription request means where it says nothing. */
export const transcriptionDefaults = { ignore_timestamps: true, tag_audio_events: true } as const;

/** What the creation of a voice model means where it says nothing. */
export const createModelDefaults = {
  visibility: 'public',
  enhance_audio_quality: true,
  generate_sample: false,
} as const;

/** What a voice model is where it says nothing. */
export const voiceModelDefaults = {
  description: '',
  cover_image: '',
  train_mode: 'full',
  samples: [],
  languages: [],
  lock_visibility: false,
  dmca_taken_down: false,
  default_text: '',
  unliked: false,
  liked: false,
  marked: false,
} as const;

/** The fields of an answer that the interface itself marks as required. */
export const requiredFields = {
  VoiceModel: [
    '_id',
    'type',
    'title',
    'state',
    'tags',
    'created_at',
    'updated_at',
    'visibility',
    'like_count',
    'mark_count',
    'shared_count',
    'task_count',
    'author',
  ],
  Package: ['user_id', 'type', 'total', 'balance', 'created_at', 'updated_at', 'finished_at'],
} as const;

/** What a list of voice models means where the query says nothing. */
export const listModelsDefaults = { page_size: 10, page_number: 1, sort_by: 'score' } as const;

/** The ranges of the numbers in the query of a list of voice models. */
export const listModelsRanges = { page_size: { minimum: 1 }, page_number: { minimum: 1 } } as const;

/** The names of the fields each request takes; another name is refused. */
export const requestFields = {
  SynthesisRequest: [
    'text',
    'temperature',
    'top_p',
    'prosody',
    'chunk_length',
    'normalize',
    'format',
    'sample_rate',
    'mp3_bitrate',
    'opus_bitrate',
    'latency',
    'max_new_tokens',
    'repetition_penalty',
    'min_chunk_length',
    'condition_on_previous_chunks',
    'early_stop_threshold',
    'reference_id',
    'references',
  ],
  Prosody: ['speed', 'volume', 'normalize_loudness'],
  ReferenceAudio: ['audio', 'text'],
  TranscriptionRequest: [
    'audio',
    'language',
    'ignore_timestamps',
    'tag_audio_events',
    'diarize',
    'num_speakers',
    'min_speakers',
    'max_speakers',
  ],
  CreateModelRequest: [
    'type',
    'title',
    'train_mode',
    'texts',
    'visibility',
    'description',
    'tags',
    'enhance_audio_quality',
    'generate_sample',
    'voices',
    'cover_image',
  ],
  UpdateModelRequest: ['title', 'description', 'cover_image', 'tags', 'visibility'],
  ListModelsQuery: [
    'page_size',
    'page_number',
    'title',
    'tag',
    'self',
    'licensed',
    'author_id',
    'language',
    'title_language',
    'sort_by',
  ],
} as const;

/** How early the first audio should come. */
export const latencyModes = ['low', 'normal', 'balanced'] as const;

/** What a voice model can be for. */
export const voiceModelTypes = ['svc', 'tts'] as const;

/** How far the training of a voice model has come. */
export const voiceModelStates = ['created', 'training', 'trained', 'failed'] as const;

/** The users who can find a voice model. */
export const visibilities = ['public', 'unlist', 'private'] as const;

/** How a voice model is trained. */
export const trainModes = ['fast', 'full'] as const;

/** What a list of voice models can be sorted by. */
export const modelSortOrders = ['score', 'task_count', 'created_at'] as const;

/**
 * Limits that are enforced, all inclusive.
 * A file of a transcription is cut or refused by a client above `…BytesSent`, by a server above `…BytesRefusedAbove`.
 */
export const limits = {
  requestBodyBytes: 67108864,
  requestBodyValues: 100000,
  textCodePoints: 100000,
  transcriptionFiles: 1,
  transcriptionFileBytesSent: 20000000,
  transcriptionFileBytesRefusedAbove: 20971520,
  transcriptionMinimumSeconds: 1,
  transcriptionMaximumSeconds: 3600,
  createModelVoices: 20,
  createModelTexts: 20,
} as const;

/** The bytes of the largest transcription file that a client sends, as among the limits. */
export const maximumTranscriptionBytes = 20000000 as const;

/** Ranges that are known or recommended and never a reason to refuse. */
export const unenforcedLimits = {
  prosodyVolumeDecibels: { minimum: -20, maximum: 20 },
  referenceAudioSeconds: { minimum: 10, maximum: 30 },
  listModelsPageSize: { maximum: 100 },
} as const;

/** The published site of this project, without a slash at its end; errors lead to places on it. Empty until there is one. */
export const documentationUrl = '' as const;
