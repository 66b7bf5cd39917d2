import { defaultModel, headerNames } from '@speech-api/types';
import type { Scenario } from '../step.ts';
import { greeting, inGroups, refused, sentence, success, validTraceparent } from './making.ts';

const headers = { [headerNames.model]: defaultModel };

export const live: readonly Scenario[] = [
  {
    name: 'live-session',
    about: 'a session from start to finish',
    priority: 8,
    steps: [
      {
        kind: 'live',
        name: 'openLiveSession, a session',
        headers,
        expectation: success,
        script: () => [
          { send: { event: 'start', request: { text: '', format: 'opus', latency: 'balanced' } } },
          { send: { event: 'text', text: `${greeting} ` } },
          { send: { event: 'flush' } },
          { wait: 'audio' },
          // Longer than what came before: if it is not spoken, the audio is too short.
          { send: { event: 'text', text: sentence } },
          { send: { event: 'stop' } },
          { wait: 'finish' },
        ],
      },
    ],
  },
  {
    name: 'live-trace',
    about: 'a traceparent changes nothing about a session of wav',
    priority: 59,
    steps: (['without', 'with'] as const).map((role) => ({
      kind: 'live',
      name: `openLiveSession, ${role} a traceparent`,
      headers: { ...headers, ...(role === 'with' && { [headerNames.traceparent]: validTraceparent }) },
      expectation: success,
      groups: inGroups('live', ['trace', role]),
      script: () => [
        { send: { event: 'start', request: { text: '', format: 'wav', sample_rate: 16_000 } } },
        { send: { event: 'text', text: sentence } },
        { send: { event: 'stop' } },
        { wait: 'finish' },
      ],
    })),
  },
  {
    name: 'live-text-before-start',
    about: 'a message out of order is refused',
    priority: 49,
    steps: [
      {
        kind: 'live',
        name: 'openLiveSession, text before start',
        headers,
        expectation: refused('text came before start', 'schema'),
        script: () => [{ send: { event: 'text', text: greeting } }, { wait: 'close' }],
      },
    ],
  },
  {
    name: 'live-request-refused',
    about: 'a start that breaks the spec is refused',
    priority: 50,
    steps: [
      {
        kind: 'live',
        name: 'openLiveSession, a format that does not exist',
        headers,
        expectation: refused('the format is not one of the four', 'schema'),
        script: () => [{ send: { event: 'start', request: { text: '', format: 'ogg' } } }, { wait: 'close' }],
      },
    ],
  },
  {
    name: 'live-without-model',
    about: 'the model header is required at the upgrade',
    priority: 51,
    steps: [
      {
        kind: 'live',
        name: 'openLiveSession, without a model',
        expectation: refused('the header model is missing', 'schema'),
        script: () => [],
      },
    ],
  },
  {
    name: 'live-stop-without-text',
    about: 'a session without a word ends like any other',
    priority: 51.1,
    steps: [
      {
        kind: 'live',
        name: 'openLiveSession, stop without text',
        headers,
        expectation: success,
        script: () => [
          { send: { event: 'start', request: { text: '', format: 'mp3' } } },
          { send: { event: 'stop' } },
          { wait: 'finish' },
        ],
      },
    ],
  },
  {
    name: 'live-second-session',
    about: 'after a session the server closes, or holds another one on the same socket',
    priority: 51.2,
    steps: [
      {
        kind: 'live',
        name: 'openLiveSession, two sessions',
        headers,
        expectation: success,
        script: () =>
          ['pcm', 'wav'].flatMap((format) => [
            { send: { event: 'start', request: { text: greeting, format, sample_rate: 8000 } } },
            { send: { event: 'stop' } },
            { wait: 'finish' as const },
          ]),
      },
    ],
  },
  {
    name: 'live-no-upgrade',
    about: 'a plain request to the live address is refused',
    priority: 52,
    steps: [
      {
        kind: 'call',
        operationId: 'openLiveSession',
        name: 'openLiveSession, no upgrade',
        expectation: refused('the request is not an upgrade', 'upgrade-required'),
        call: () => ({ headers }),
      },
    ],
  },
];
