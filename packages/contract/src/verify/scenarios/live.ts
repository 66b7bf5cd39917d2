import { defaultModel, headerNames } from '@speech-api/types';
import type { Scenario } from '../step.ts';
import { greeting, inGroups, refused, scenario, sentence, success, validTraceparent } from './making.ts';

const headers = { [headerNames.model]: defaultModel };

export const live: readonly Scenario[] = [
  scenario('live-session', 8, 'a session from start to finish', [
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
  ]),
  scenario(
    'live-trace',
    59,
    'a traceparent changes nothing about a session of wav',
    (['without', 'with'] as const).map((role) => ({
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
  ),
  scenario('live-text-before-start', 49, 'a message out of order is refused', [
    {
      kind: 'live',
      name: 'openLiveSession, text before start',
      headers,
      expectation: refused('text came before start', 'schema'),
      script: () => [{ send: { event: 'text', text: greeting } }, { wait: 'close' }],
    },
  ]),
  scenario('live-request-refused', 50, 'a start that breaks the spec is refused', [
    {
      kind: 'live',
      name: 'openLiveSession, a format that does not exist',
      headers,
      expectation: refused('the format is not one of the four', 'schema'),
      script: () => [{ send: { event: 'start', request: { text: '', format: 'ogg' } } }, { wait: 'close' }],
    },
  ]),
  scenario('live-without-model', 51, 'the model header is required at the upgrade', [
    {
      kind: 'live',
      name: 'openLiveSession, without a model',
      expectation: refused('the header model is missing', 'schema'),
      script: () => [],
    },
  ]),
  scenario('live-stop-without-text', 51.1, 'a session without a word ends like any other', [
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
  ]),
  scenario(
    'live-second-session',
    51.2,
    'after a session the server closes, or holds another one on the same socket',
    [
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
  ),
  scenario('live-no-upgrade', 52, 'a plain request to the live address is refused', [
    {
      kind: 'call',
      operationId: 'openLiveSession',
      name: 'openLiveSession, no upgrade',
      expectation: refused('the request is not an upgrade', 'upgrade-required'),
      call: () => ({ headers }),
    },
  ]),
];
