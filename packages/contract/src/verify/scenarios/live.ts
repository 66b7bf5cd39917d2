import { defaultModel, headerNames } from '@speech-api/types';
import type { LiveAction } from '../../transport/hold-session.ts';
import type { LiveStep, Scenario } from '../step.ts';
import {
  call,
  greeting,
  inGroups,
  quick,
  refused,
  scenario,
  sentence,
  success,
  validTraceparent,
} from './making.ts';

const headers = { [headerNames.model]: defaultModel };

/** One session, which must succeed by default. */
const session = (what: string, script: readonly LiveAction[], more: Partial<LiveStep> = {}): LiveStep => ({
  kind: 'live',
  operationId: 'openLiveSession',
  name: `openLiveSession, ${what}`,
  headers,
  expectation: success,
  script,
  ...more,
});

const start = (request: object): LiveAction => ({
  send: { event: 'start', request: { text: '', ...request } },
});
const say = (text: string): LiveAction => ({ send: { event: 'text', text } });
const flush: LiveAction = { send: { event: 'flush' } };
const toTheEnd: readonly LiveAction[] = [{ send: { event: 'stop' } }, { wait: 'finish' }];

export const live: readonly Scenario[] = [
  quick('live-session', 'a session from start to finish', [
    session('a session', [
      start({ format: 'opus', latency: 'balanced' }),
      say(`${greeting} `),
      flush,
      { wait: 'audio' },
      // This text is longer than the first, so that audio without it is too short.
      say(sentence),
      ...toTheEnd,
    ]),
  ]),
  quick(
    'live-trace',
    'a traceparent changes nothing about a session of wav',
    (['without', 'with'] as const).map((role) =>
      session(
        `${role} a traceparent`,
        [start({ format: 'wav', sample_rate: 16_000 }), say(sentence), ...toTheEnd],
        {
          headers: { ...headers, ...(role === 'with' && { [headerNames.traceparent]: validTraceparent }) },
          groups: inGroups('live', ['trace', role]),
        },
      ),
    ),
  ),
  scenario('live-text-before-start', 'a message out of order is refused', [
    session('text before start', [say(greeting), { wait: 'close' }], {
      expectation: refused('text came before start', 'schema'),
    }),
  ]),
  scenario('live-request-refused', 'a start that breaks the spec is refused', [
    session('a format that does not exist', [start({ format: 'ogg' }), { wait: 'close' }], {
      expectation: refused('the format is not one of the four', 'schema'),
    }),
  ]),
  scenario('live-without-model', 'the model header is required at the upgrade', [
    session('without a model', [], {
      headers: {},
      expectation: refused('the header model is missing', 'schema'),
    }),
  ]),
  scenario('live-stop-without-text', 'a session without a word ends like any other', [
    session('stop without text', [start({ format: 'mp3' }), ...toTheEnd]),
  ]),
  scenario(
    'live-second-session',
    'after a session the server closes, or holds another one on the same socket',
    [
      session(
        'two sessions',
        ['pcm', 'wav'].flatMap((format) => [
          start({ text: greeting, format, sample_rate: 8000 }),
          ...toTheEnd,
        ]),
      ),
    ],
  ),
  scenario('live-no-upgrade', 'a plain request to the live address is refused', [
    call(
      'openLiveSession',
      'no upgrade',
      { headers },
      { expectation: refused('the request is not an upgrade', 'upgrade-required') },
    ),
  ]),
];
