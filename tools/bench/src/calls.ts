import { createSpeechClient } from '@speech-api/client';
import createClient from 'openapi-fetch';
import { compare, type Row, type Work } from './measure.ts';
import { runNode, startServer } from './processes.ts';

const apiKey = 'bench-key';
const authorization = { authorization: `Bearer ${apiKey}` };
const synthesis = { text: 'A sentence that somebody wants to hear.', format: 'pcm' } as const;

function post(baseUrl: string, more: Readonly<Record<string, string>> = {}): Promise<Response> {
  const headers = { ...authorization, model: 's2-pro', 'content-type': 'application/json', ...more };
  return fetch(`${baseUrl}/v1/tts`, { method: 'POST', headers, body: JSON.stringify(synthesis) });
}

/** The peer without our types. */
interface LoosePeer {
  GET(path: string, options: object): Promise<{ readonly data: unknown }>;
  POST(path: string, options: object): Promise<{ readonly data: unknown }>;
}

function openapiFetchAt(baseUrl: string): LoosePeer {
  const headers = { ...authorization, model: 's2-pro' };
  return createClient<Record<string, never>>({ baseUrl, headers }) as unknown as LoosePeer;
}

type Ways = Readonly<Record<'raw' | 'openapiFetch' | 'added', Work>>;

/** A row that compares the overhead per call of raw fetch, openapi-fetch and our client. */
function overhead(
  row: Omit<Row, 'measure' | 'target'>,
  allowedMicroseconds: number,
  iterations: number,
  waysAt: (baseUrl: string) => Ways,
): Row {
  return {
    ...row,
    target: `<= openapi-fetch + ${allowedMicroseconds} us`,
    async measure() {
      await using server = await startServer('bare');
      const { raw, openapiFetch, ...ours } = await compare(waysAt(server.url), { iterations });
      const references = { 'openapi-fetch added': (openapiFetch - raw) * 1000, 'raw fetch': raw * 1000 };
      return Object.entries(ours).map(([variant, taken]) => {
        const met = (taken - openapiFetch) * 1000 <= allowedMicroseconds;
        return { variant, ours: (taken - raw) * 1000, unit: 'us', references, met };
      });
    },
  };
}

const get = overhead({ id: 'get-overhead', what: 'GET over raw fetch' }, 40, 200, (baseUrl) => {
  const client = createSpeechClient({ baseUrl, apiKey });
  const peer = openapiFetchAt(baseUrl);
  return {
    raw: async () => void (await (await fetch(`${baseUrl}/model/voice`, { headers: authorization })).json()),
    openapiFetch: async () => void (await peer.GET('/model/{id}', { params: { path: { id: 'voice' } } })),
    added: async () => void (await client.models.get('voice')),
  };
});

const posted = overhead({ id: 'post-overhead', what: 'POST over raw fetch' }, 80, 200, (baseUrl) => {
  const client = createSpeechClient({ baseUrl, apiKey });
  const watched = createSpeechClient({ baseUrl, apiKey });
  watched.http.use({ onRequest: () => undefined, onResponse: () => undefined });
  const peer = openapiFetchAt(baseUrl);
  return {
    raw: async () => void (await (await post(baseUrl)).arrayBuffer()),
    openapiFetch: async () => void (await peer.POST('/v1/tts', { body: synthesis, parseAs: 'arrayBuffer' })),
    added: async () => void (await (await client.speech.create(synthesis)).bytes()),
    'added, with middleware': async () => void (await (await watched.speech.create(synthesis)).bytes()),
  };
});

const pause = { 'x-bench-pause': 'yes' };
/** The bytes before the server's pause. */
const firstBytes = 4000;

/** Milliseconds to the first chunk; the rest of the body is read but not counted. */
function toFirstChunk(start: () => Promise<AsyncIterable<Uint8Array>>): Work {
  return async () => {
    const begin = performance.now();
    let overriddenDuration: number | undefined;
    for await (const piece of await start()) {
      overriddenDuration ??= performance.now() - begin;
      if (piece.length > firstBytes)
        throw new Error('The first chunk came only with what follows the pause.');
    }
    return { overriddenDuration };
  };
}

const firstByte = overhead(
  { id: 'first-byte', what: 'first audio byte over raw fetch, always before the server pauses' },
  120,
  20,
  (baseUrl) => {
    const client = createSpeechClient({ baseUrl, apiKey });
    const peer = openapiFetchAt(baseUrl);
    return {
      raw: toFirstChunk(async () => (await post(baseUrl, pause)).body ?? new ReadableStream()),
      openapiFetch: toFirstChunk(async () => {
        const answer = await peer.POST('/v1/tts', { body: synthesis, headers: pause, parseAs: 'stream' });
        return answer.data as ReadableStream<Uint8Array>;
      }),
      added: toFirstChunk(() => client.speech.create(synthesis, { headers: pause })),
    };
  },
);

const coldImport: Row = {
  id: 'cold-import',
  what: 'cold import over bare Node',
  target: '<= openapi-fetch + 5 ms',
  async measure() {
    const load = (code: string) => async () => void (await runNode(['--input-type=module', '-e', code]));
    const taken = await compare({
      bare: load('0'),
      ours: load("await import('@speech-api/client')"),
      peer: load("await import('openapi-fetch')"),
    });
    const added = taken.ours - taken.bare;
    const references = { 'openapi-fetch added': taken.peer - taken.bare, 'bare Node': taken.bare };
    return [{ variant: 'added', ours: added, unit: 'ms', references, met: taken.ours - taken.peer <= 5 }];
  },
};

export const calls: readonly Row[] = [coldImport, get, posted, firstByte];
