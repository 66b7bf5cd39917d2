import { mediaTypes } from '@speech-api/types';
import type { Scenario } from '../step.ts';
import {
  inGroups,
  invalidTraceparent,
  quick,
  scenario,
  sentence,
  speak,
  story,
  validTraceparent,
} from './making.ts';

const operationId = 'streamSpeechWithTimestamps';
const wav = { text: story, format: 'wav', sample_rate: 24_000, normalize: false };
const chunked = { latency: 'balanced', chunk_length: 100, min_chunk_length: 0 };
const mp3 = { text: sentence, format: 'mp3', latency: 'low' };
const pcm = { text: sentence, format: 'pcm', sample_rate: 16_000 };
const balancedOpus = { text: story, format: 'opus', latency: 'balanced' };
const opus = { text: sentence, format: 'opus', opus_bitrate: 32_000, normalize: false };

export const stream: readonly Scenario[] = [
  quick('stream-encodings', 'a timestamped stream, as JSON and as MessagePack with a traceparent', [
    speak('as JSON', opus, {
      operationId,
      groups: [...inGroups('stream', 'encodings', ['trace', 'without']), ...inGroups('sentence', 'speech')],
    }),
    speak('as MessagePack, with a traceparent', opus, {
      operationId,
      mediaType: mediaTypes.msgpack,
      traceparent: validTraceparent,
      groups: [...inGroups('stream', 'encodings', ['trace', 'with']), ...inGroups('sentence', 'speech')],
    }),
  ]),
  quick('stream-balanced', 'a long text with latency balanced, in several chunks', [
    speak(
      'balanced, a long text',
      { ...wav, ...chunked },
      { operationId, model: 's1', groups: inGroups('story', 'speech') },
    ),
  ]),
  scenario('stream-low', 'latency low, with an invalid traceparent', [
    speak('low', mp3, { operationId, traceparent: invalidTraceparent }),
  ]),
  scenario('stream-pcm', 'a timestamped stream of pcm', [
    speak('pcm', pcm, { operationId, mediaType: mediaTypes.msgpack }),
  ]),
  scenario('stream-chinese', 'a Chinese text, one segment per character', [
    speak('Chinese', { text: '早上好，欢迎来到港口。', format: 'wav', sample_rate: 16_000 }, { operationId }),
  ]),
  scenario('stream-balanced-msgpack', 'several chunks of opus, as MessagePack', [
    speak('balanced opus, as MessagePack', balancedOpus, { operationId, mediaType: mediaTypes.msgpack }),
  ]),
  scenario(
    'stream-repeated',
    'one stream twice is answered alike',
    ['once', 'twice'].map((time) =>
      speak(`the same request ${time}`, opus, { operationId, groups: inGroups('stream', 'repeat') }),
    ),
  ),
];
