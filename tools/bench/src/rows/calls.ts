import { createSpeechClient } from '@speech-api/client';
import createClient from 'openapi-fetch';
import { type Contender, interleave, peakMemory, type Row } from '../measure.ts';
import { startServer } from '../processes.ts';

const apiKey = 'bench-key';
const authorization = { authorization: `Bearer ${apiKey}` };
const synthesis = { text: 'A sentence that somebody wants to hear.', format: 'pcm' } as const;

function post(baseUrl: string, own: Readonly<Record<string, string>> = {}): Promise<Response> {
  const headers = { ...authorization, model: 's2-pro', 'content-type': 'application/json', ...own };
  return fetch(`${baseUrl}/v1/tts`, { method: 'POST', headers, body: JSON.stringify(synthesis) });
}

/** The peer as a caller without our types has it. */
interface LoosePeer {
  GET(path: string, options: object): Promise<{ readonly data: unknown }>;
  POST(path: string, options: object): Promise<{ readonly data: unknown }>;
}

function openapiFetchAt(baseUrl: string): LoosePeer {
  const headers = { ...authorization, model: 's2-pro' };
  return createClient<Record<string, never>>({ baseUrl, headers }) as unknown as LoosePeer;
}

/** A row that compares what raw fetch, openapi-fetch and our ways take for one call, in microseconds. */
function overhead(
  row: Omit<Row, 'measure'>,
  allowed: number,
  contendersAt: (baseUrl: string) => Record<'raw' | 'openapiFetch' | 'added', Contender>,
): Row {
  const measure = async () => {
    await using server = await startServer('bare');
    const { raw, openapiFetch, ...ways } = await interleave(contendersAt(server.url), 15);
    const references = { 'raw fetch': raw, 'openapi-fetch added': openapiFetch - raw };
    return Object.entries(ways).map(([variant, figure]) => {
      return {
        variant,
        ours: figure - raw,
        unit: 'us' as const,
        references,
        met: figure - openapiFetch <= allowed,
      };
    });
  };
  return { ...row, measure };
}

function repeated(call: () => Promise<unknown>, count = 200): Contender {
  return async () => {
    const begin = performance.now();
    for (let index = 0; index < count; index++) await call();
    return ((performance.now() - begin) * 1000) / count;
  };
}

const get = overhead(
  { id: 'get-overhead', what: 'GET overhead over raw fetch', target: '<= openapi-fetch + 30 us' },
  30,
  (baseUrl) => {
    const client = createSpeechClient({ baseUrl, apiKey });
    const peer = openapiFetchAt(baseUrl);
    return {
      raw: repeated(async () => (await fetch(`${baseUrl}/model/voice`, { headers: authorization })).json()),
      openapiFetch: repeated(() => peer.GET('/model/{id}', { params: { path: { id: 'voice' } } })),
      added: repeated(() => client.models.get('voice')),
    };
  },
);

const posted = overhead(
  {
    id: 'post-overhead',
    what: 'POST overhead over raw fetch',
    target: '<= openapi-fetch + 60 us, the same with middleware',
  },
  60,
  (baseUrl) => {
    const client = createSpeechClient({ baseUrl, apiKey });
    const watched = createSpeechClient({ baseUrl, apiKey });
    watched.http.use({ onRequest: () => undefined, onResponse: () => undefined });
    const peer = openapiFetchAt(baseUrl);
    return {
      raw: repeated(async () => (await post(baseUrl)).arrayBuffer()),
      openapiFetch: repeated(() => peer.POST('/v1/tts', { body: synthesis, parseAs: 'arrayBuffer' })),
      added: repeated(async () => (await client.speech.create(synthesis)).bytes()),
      'added, with middleware': repeated(async () => (await watched.speech.create(synthesis)).bytes()),
    };
  },
);

const pause = { 'x-bench-pause': 'yes' };
/** The bytes before the server's pause. */
const shortClipBytes = 4000;

/** Mean microseconds to the first chunk alone; the rest of the body is read and not counted. */
function toFirstChunk(start: () => Promise<AsyncIterable<Uint8Array>>, count = 20): Contender {
  return async () => {
    let sum = 0;
    for (let index = 0; index < count; index++) {
      const begin = performance.now();
      let length = 0;
      for await (const piece of await start()) {
        if (length === 0) sum += performance.now() - begin;
        length += piece.length;
        // Late: only together with what came after the pause.
        if (length > shortClipBytes && length === piece.length) sum = Number.POSITIVE_INFINITY;
      }
    }
    return (sum * 1000) / count;
  };
}

const firstByte = overhead(
  {
    id: 'first-byte',
    what: 'first audio byte over raw fetch',
    target: '<= openapi-fetch + 80 us, and the first chunk always before the server pauses',
  },
  80,
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

const largeAnswer: Row = {
  id: 'large-answer',
  what: 'streaming a 500 MB answer',
  target: '>= 90 % of raw fetch in the same run; peak memory independent of size',
  async measure() {
    await using server = await startServer('bare');
    const client = createSpeechClient({ baseUrl: server.url, apiKey });
    const bytes = 500e6;
    const headersOf = (size: number) => ({ 'x-bench-bytes': String(size) });
    const startOurs = (size: number) => client.speech.create(synthesis, { headers: headersOf(size) });
    const read = (start: (size: number) => Promise<AsyncIterable<Uint8Array>>) => async () => {
      const begin = performance.now();
      let length = 0;
      for await (const piece of await start(bytes)) length += piece.length;
      return length / 1e3 / (performance.now() - begin);
    };
    const raw = async (size: number) =>
      (await post(server.url, headersOf(size))).body ?? new ReadableStream();
    const speeds = await interleave({ raw: read(raw), ours: read(startOurs) }, 5);
    const peakOf = (size: number) =>
      peakMemory(async () => {
        for await (const _ of await startOurs(size));
      });
    const [fifth, whole] = [await peakOf(bytes / 5), await peakOf(bytes)];
    return [
      {
        ours: speeds.ours,
        unit: 'MB/s',
        references: { 'raw fetch': speeds.raw },
        met: speeds.ours >= 0.9 * speeds.raw,
      },
      {
        variant: 'peak memory over baseline',
        ours: whole,
        unit: 'MB',
        references: { 'a fifth of the size': fifth },
        // Whatever the collector leaves lying about, but never the size of the answer.
        met: whole - fifth < 64,
      },
    ];
  },
};

export const calls: readonly Row[] = [get, posted, firstByte, largeAnswer];
