import { mediaTypes } from '@speech-api/types';
import type { Scenario } from '../step.ts';
import { inGroups, invalidTraceparent, sentence, speak, story, validTraceparent } from './making.ts';

const operationId = 'streamSpeechWithTimestamps';
const opus = { text: sentence, format: 'opus', opus_bitrate: 32_000, normalize: false };

export const stream: readonly Scenario[] = [
  {
    name: 'stream-encodings',
    about: 'a timestamped stream, as JSON and as MessagePack with a traceparent',
    priority: 2,
    steps: [
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
    ],
  },
  {
    name: 'stream-balanced',
    about: 'a long text with latency balanced, in several chunks',
    priority: 12,
    steps: [
      speak(
        'balanced, a long text',
        {
          text: story,
          normalize: false,
          format: 'wav',
          sample_rate: 24_000,
          latency: 'balanced',
          chunk_length: 100,
          min_chunk_length: 0,
        },
        { operationId, model: 's1' },
      ),
    ],
  },
  {
    name: 'stream-low',
    about: 'latency low, with an invalid traceparent',
    priority: 22,
    steps: [
      speak(
        'low',
        { text: sentence, format: 'mp3', latency: 'low' },
        { operationId, traceparent: invalidTraceparent },
      ),
    ],
  },
  {
    name: 'stream-pcm',
    about: 'a timestamped stream of pcm',
    priority: 50,
    steps: [
      speak(
        'pcm',
        { text: sentence, format: 'pcm', sample_rate: 16_000 },
        { operationId, mediaType: mediaTypes.msgpack },
      ),
    ],
  },
  {
    name: 'stream-chinese',
    about: 'a Chinese text, one segment per character',
    priority: 51,
    steps: [
      speak(
        'Chinese',
        { text: '早上好，欢迎来到港口。', format: 'wav', sample_rate: 16_000 },
        { operationId },
      ),
    ],
  },
  {
    name: 'stream-balanced-msgpack',
    about: 'several chunks of opus, as MessagePack',
    priority: 52,
    steps: [
      speak(
        'balanced opus, as MessagePack',
        { text: story, format: 'opus', latency: 'balanced' },
        {
          operationId,
          mediaType: mediaTypes.msgpack,
        },
      ),
    ],
  },
  {
    name: 'stream-repeated',
    about: 'one stream twice is answered alike',
    priority: 61,
    steps: ['once', 'twice'].map((time) =>
      speak(`the same request ${time}`, opus, { operationId, groups: inGroups('stream', 'repeat') }),
    ),
  },
];
