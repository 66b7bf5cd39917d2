import { defaultModel, mediaTypes, type SpeechStreamEvent } from '@speech-api/types';
import { afterAll, beforeAll, expect } from 'vitest';
import { type RunningSandbox, type SandboxOptions, startSandbox } from '../../src/start-sandbox.ts';
import { createFakeSpeech } from '../../src/testing/fake-speech.ts';

/** How a test departs from a good call. A header that is `undefined` is left out. */
export interface CallOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | FormData | URLSearchParams;
}

/** Calls one sandbox, which a file of tests shares. */
export interface Calls {
  sandbox(): RunningSandbox;
  /** With the key that works. */
  call(path: string, options?: CallOptions): Promise<Response>;
  /** A synthesis request in JSON to `POST /v1/tts`, or to the path of the options. */
  speak(body: unknown, options?: CallOptions & { readonly path?: string }): Promise<Response>;
  /** All events of the timestamp stream for a request that must succeed. */
  events(body: unknown): Promise<SpeechStreamEvent[]>;
}

/** Starts a sandbox for the tests of a file: with the engine, or with one that makes no sound. */
export function useCalls(engine: 'real' | 'silent', options: SandboxOptions = {}): Calls {
  let running: RunningSandbox | undefined;
  beforeAll(async () => {
    running = await startSandbox({
      ...(engine === 'silent' ? { speech: createFakeSpeech() } : {}),
      ...options,
    });
  });
  afterAll(() => running?.close());

  const sandbox = (): RunningSandbox => {
    if (running === undefined) throw new Error('the sandbox runs during tests only');
    return running;
  };
  const calls: Calls = {
    sandbox,
    call(path, { method = 'GET', headers = {}, body } = {}) {
      const all = Object.entries({ authorization: 'Bearer sandbox-key', ...headers });
      const given = all.filter((each): each is [string, string] => each[1] !== undefined);
      return fetch(sandbox().url + path, { method, headers: given, ...(body === undefined ? {} : { body }) });
    },
    speak(body, { path = '/v1/tts', headers, ...rest } = {}) {
      const speechHeaders = { model: defaultModel, 'content-type': mediaTypes.json, ...headers };
      return calls.call(path, {
        method: 'POST',
        headers: speechHeaders,
        body: JSON.stringify(body),
        ...rest,
      });
    },
    async events(body) {
      const response = await calls.speak(body, { path: '/v1/tts/stream/with-timestamp' });
      expect(response.status).toBe(200);
      return eventsOf(await response.text());
    },
  };
  return calls;
}

/** The payloads of an event stream in which each event is one `data: ` line, as section 4.2 says. */
export function eventsOf(stream: string): SpeechStreamEvent[] {
  expect(stream.endsWith('\n\n')).toBe(true);
  return stream
    .slice(0, -2)
    .split('\n\n')
    .map((event) => {
      expect(event).toMatch(/^data: [^\n]+$/);
      return JSON.parse(event.slice('data: '.length)) as SpeechStreamEvent;
    });
}

/** The audio of the events, in the order they came. */
export function audioOf(events: readonly SpeechStreamEvent[]): Buffer {
  return Buffer.concat(events.map((event) => Buffer.from(event.audio_base64, 'base64')));
}

/** Checks for the general error body of section 7. */
export async function expectGeneral(response: Response, status: number): Promise<string> {
  expect(response.status).toBe(status);
  const body = (await response.json()) as { status: number; message: string };
  expect(body).toEqual({ status, message: expect.any(String) });
  return body.message;
}

/** Checks for the validation list of section 7, and gives where its first issue is. */
export async function expectIssues(response: Response): Promise<readonly string[]> {
  expect(response.status).toBe(422);
  const issues = (await response.json()) as readonly { readonly loc: readonly string[] }[];
  expect(issues.length).toBeGreaterThan(0);
  for (const issue of issues) {
    expect(issue).toMatchObject({
      loc: expect.any(Array),
      type: expect.any(String),
      msg: expect.any(String),
      ctx: expect.any(String),
    });
    expect(issue.loc.every((each) => typeof each === 'string')).toBe(true);
  }
  return issues[0]?.loc ?? [];
}
