import { createSpeechClient } from '@speech-api/client';
import createClient from 'openapi-fetch';
import { interleave } from '../measure/interleave.ts';
import { withServer } from '../measure/with-server.ts';
import type { Row } from '../row.ts';

const apiKey = 'bench-key';
const rounds = 15;
const callsARound = 200;
/** What the server sends before it pauses. */
const shortClipBytes = 4000;

/** Mean microseconds of one call; the rounds give the median. */
function repeated(call: () => Promise<unknown>, count = callsARound): () => Promise<number> {
  return async () => {
    const begin = performance.now();
    for (let index = 0; index < count; index++) await call();
    return ((performance.now() - begin) * 1000) / count;
  };
}

const authorization = { authorization: `Bearer ${apiKey}` };
const synthesisHeaders = { ...authorization, model: 's2-pro', 'content-type': 'application/json' };
const synthesis = { text: 'A sentence that somebody wants to hear.', format: 'pcm' } as const;

export const get: Row = {
  id: 'get-overhead',
  what: 'GET overhead over raw fetch',
  target: '<= openapi-fetch + 30 us',
  measure: () =>
    withServer(async (baseUrl) => {
      const client = createSpeechClient({ baseUrl, apiKey });
      const peer = createClient<Record<string, never>>({
        baseUrl,
        headers: authorization,
      }) as unknown as LoosePeer;
      const { raw, ours, openapiFetch } = await interleave(
        {
          raw: repeated(async () =>
            (await fetch(`${baseUrl}/model/voice`, { headers: authorization })).json(),
          ),
          ours: repeated(() => client.models.get('voice')),
          openapiFetch: repeated(() => peer.GET('/model/{id}', { params: { path: { id: 'voice' } } })),
        },
        rounds,
      );
      return [
        {
          variant: 'added',
          ours: ours - raw,
          unit: 'us',
          reference: { name: 'raw fetch', value: raw },
          peers: [{ name: 'openapi-fetch added', value: openapiFetch - raw }],
          met: ours - openapiFetch <= 30,
        },
      ];
    }),
};

export const post: Row = {
  id: 'post-overhead',
  what: 'POST overhead over raw fetch',
  target: '<= openapi-fetch + 60 us, the same with middleware',
  measure: () =>
    withServer(async (baseUrl) => {
      const client = createSpeechClient({ baseUrl, apiKey });
      const watched = createSpeechClient({ baseUrl, apiKey });
      watched.http.use({ onRequest: () => undefined, onResponse: () => undefined });
      const peer = createClient<Record<string, never>>({
        baseUrl,
        headers: synthesisHeaders,
      }) as unknown as LoosePeer;
      const { raw, ours, withMiddleware, openapiFetch } = await interleave(
        {
          raw: repeated(async () => {
            const body = JSON.stringify(synthesis);
            const response = await fetch(`${baseUrl}/v1/tts`, {
              method: 'POST',
              headers: synthesisHeaders,
              body,
            });
            return response.arrayBuffer();
          }),
          ours: repeated(async () => (await client.speech.create(synthesis)).bytes()),
          withMiddleware: repeated(async () => (await watched.speech.create(synthesis)).bytes()),
          openapiFetch: repeated(() => peer.POST('/v1/tts', { body: synthesis, parseAs: 'arrayBuffer' })),
        },
        rounds,
      );
      const reference = { name: 'raw fetch', value: raw };
      const peers = [{ name: 'openapi-fetch added', value: openapiFetch - raw }];
      const plain = ours - raw;
      const seen = withMiddleware - raw;
      return [
        { variant: 'added', ours: plain, unit: 'us', reference, peers, met: ours - openapiFetch <= 60 },
        {
          variant: 'added, with middleware',
          ours: seen,
          unit: 'us',
          reference,
          peers,
          met: withMiddleware - openapiFetch <= 60,
        },
      ];
    }),
};

export const firstByte: Row = {
  id: 'first-byte',
  what: 'first audio byte over raw fetch',
  target: '<= openapi-fetch + 80 us, and the first chunk always before the server pauses',
  measure: () =>
    withServer(async (baseUrl) => {
      const client = createSpeechClient({ baseUrl, apiKey });
      const pausing = { 'x-bench': 'pause' };
      // Who got the first chunk only together with what came after the pause.
      const late = new Set<unknown>();
      /** The time to the first chunk alone; the rest of the body is read and not counted. */
      const timed =
        (start: () => Promise<AsyncIterable<Uint8Array>>, count = 20) =>
        async () => {
          let sum = 0;
          for (let index = 0; index < count; index++) {
            const begin = performance.now();
            let first: number | undefined;
            let length = 0;
            for await (const piece of await start()) {
              first ??= performance.now() - begin;
              if (length === 0 && piece.length > shortClipBytes) late.add(start);
              length += piece.length;
            }
            sum += first ?? Number.NaN;
          }
          return (sum * 1000) / count;
        };
      const peer = createClient<Record<string, never>>({ baseUrl }) as unknown as LoosePeer;
      const startPeer = async () => {
        const headers = { ...synthesisHeaders, ...pausing };
        const answer = await peer.POST('/v1/tts', { body: synthesis, headers, parseAs: 'stream' });
        return (answer as { readonly data: ReadableStream<Uint8Array> }).data;
      };
      const startOurs = () => client.speech.create(synthesis, { headers: pausing });
      const { raw, ours, openapiFetch } = await interleave(
        {
          raw: timed(async () => {
            const headers = { ...synthesisHeaders, ...pausing };
            const body = JSON.stringify(synthesis);
            const response = await fetch(`${baseUrl}/v1/tts`, { method: 'POST', headers, body });
            return response.body ?? new ReadableStream<Uint8Array>();
          }),
          ours: timed(startOurs),
          openapiFetch: timed(startPeer),
        },
        rounds,
      );
      const added = ours - raw;
      const peers = [{ name: 'openapi-fetch added', value: openapiFetch - raw }];
      return [
        {
          variant: 'added',
          ours: added,
          unit: 'us',
          reference: { name: 'raw fetch', value: raw },
          peers,
          met: ours - openapiFetch <= 80 && !late.has(startOurs),
        },
      ];
    }),
};

export const largeAnswer: Row = {
  id: 'large-answer',
  what: 'streaming a 500 MB answer',
  target: '>= 90 % of raw fetch in the same run; peak memory independent of size',
  measure: () =>
    withServer(async (baseUrl) => {
      const client = createSpeechClient({ baseUrl, apiKey });
      const bytes = 500e6;
      const headersOf = (size: number) => ({ 'x-bench': 'large', 'x-bench-bytes': String(size) });
      const read = (start: (size: number) => Promise<AsyncIterable<Uint8Array>>) => async () => {
        const begin = performance.now();
        let length = 0;
        for await (const piece of await start(bytes)) length += piece.length;
        return length / 1e3 / (performance.now() - begin);
      };
      const { raw, ours } = await interleave(
        {
          raw: read(async (size) => {
            const headers = { ...synthesisHeaders, ...headersOf(size) };
            const body = JSON.stringify(synthesis);
            const response = await fetch(`${baseUrl}/v1/tts`, { method: 'POST', headers, body });
            return response.body ?? new ReadableStream<Uint8Array>();
          }),
          ours: read((size) => client.speech.create(synthesis, { headers: headersOf(size) })),
        },
        5,
      );
      const peaks: number[] = [];
      for (const size of [bytes / 5, bytes]) {
        const meter = startMemoryMeter();
        const audio = await client.speech.create(synthesis, { headers: headersOf(size) });
        for await (const _ of audio) meter.look();
        peaks.push(meter.peak());
      }
      const [fifth = 0, whole = 0] = peaks;
      return [
        { ours, unit: 'MB/s', reference: { name: 'raw fetch', value: raw }, met: ours >= 0.9 * raw },
        {
          variant: 'peak memory over baseline',
          ours: whole,
          unit: 'MB',
          reference: { name: 'a fifth of the size', value: fifth },
          // Whatever the collector leaves lying about, but never the size of the answer.
          met: whole - fifth < 64,
        },
      ];
    }),
};

function startMemoryMeter() {
  globalThis.gc?.();
  const baseline = process.memoryUsage().rss;
  let highest = baseline;
  let looks = 0;
  return {
    look() {
      looks += 1;
      if (looks % 50 === 0) highest = Math.max(highest, process.memoryUsage().rss);
    },
    peak: () => (highest - baseline) / 1e6,
  };
}

/** The peer as a caller without our types has it. */
interface LoosePeer {
  GET(path: string, options: object): Promise<unknown>;
  POST(path: string, options: object): Promise<unknown>;
}
