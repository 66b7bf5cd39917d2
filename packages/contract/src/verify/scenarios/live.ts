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
          { send: { event: 'text', text: greeting } },
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
        expectation: refused('the format is none of the four', 'schema'),
        script: () => [{ send: { event: 'start', request: { text: '', format: 'ogg' } } }, { wait: 'close' }],
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
        expectation: refused('the request is no upgrade', 'upgrade-required'),
        call: () => ({ headers }),
      },
    ],
  },
];
