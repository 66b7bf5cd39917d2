/** First version, written by hand until the generator takes over; the names stay. */

/** Models named in section 9, oldest first. The header takes other names too: new models appear. */
export const synthesisModels = ['s1', 's2-pro', 's2.1-pro', 's2.1-pro-free'] as const;
export const defaultModel = 's2-pro';
export const audioFormats = ['wav', 'pcm', 'mp3', 'opus'] as const;
export const latencyModes = ['low', 'normal', 'balanced'] as const;
export const sampleRates = {
  wav: [8000, 16000, 24000, 32000, 44100],
  pcm: [8000, 16000, 24000, 32000, 44100],
  mp3: [32000, 44100],
  opus: [48000],
} as const;
export const defaultSampleRates = { wav: 44100, pcm: 44100, mp3: 44100, opus: 48000 } as const;
export const mp3Bitrates = [64, 128, 192] as const;
export const opusBitrates = [-1000, 24000, 32000, 48000, 64000] as const;
export const audioMediaTypes = {
  wav: 'audio/wav',
  pcm: 'audio/pcm',
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
} as const;
export const mediaTypes = {
  json: 'application/json',
  msgpack: 'application/msgpack',
  multipart: 'multipart/form-data',
  urlencoded: 'application/x-www-form-urlencoded',
  eventStream: 'text/event-stream',
} as const;
export const headerNames = {
  authorization: 'authorization',
  model: 'model',
  traceparent: 'traceparent',
  traceId: 'x-trace-id',
  concurrencyLimit: 'ratelimit-limit-concurrency',
  concurrencyInUse: 'ratelimit-current-concurrency',
  retryAfter: 'retry-after',
} as const;
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
export const prosodyDefaults = { speed: 1, volume: 0, normalize_loudness: true } as const;
export const synthesisRanges = {
  temperature: { minimum: 0, maximum: 1 },
  top_p: { minimum: 0, maximum: 1 },
  chunk_length: { minimum: 100, maximum: 300 },
  min_chunk_length: { minimum: 0, maximum: 100 },
  early_stop_threshold: { minimum: 0, maximum: 1 },
  'prosody.speed': { minimum: 0.5, maximum: 2 },
} as const;
export const transcriptionDefaults = { ignore_timestamps: true } as const;
export const listModelsDefaults = { page_size: 10, page_number: 1, sort_by: 'score' } as const;
export const modelSortOrders = ['score', 'task_count', 'created_at'] as const;
export const createModelDefaults = {
  visibility: 'public',
  enhance_audio_quality: true,
  generate_sample: false,
} as const;
export const voiceModelTypes = ['svc', 'tts'] as const;
export const voiceModelStates = ['created', 'training', 'trained', 'failed'] as const;
export const visibilities = ['public', 'unlist', 'private'] as const;
export const trainModes = ['fast', 'full'] as const;
export const limits = {
  requestBodyBytes: 67_108_864,
  textCodePoints: 100_000,
  transcriptionFileBytesSent: 20_000_000,
  transcriptionFileBytesRefusedAbove: 20_971_520,
  transcriptionMinimumSeconds: 1,
  transcriptionMaximumSeconds: 3600,
  createModelVoices: 20,
} as const;
