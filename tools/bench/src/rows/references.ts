import { Buffer } from 'node:buffer';
import { encode } from '@msgpack/msgpack';
import { encodeRequest } from '@speech-api/msgpack';
import { cpuTime } from '../measure/cpu-time.ts';
import { interleave, median } from '../measure/interleave.ts';
import { requestWithReferences } from '../measure/references.ts';
import { runChild } from '../measure/run-child.ts';
import { withServer } from '../measure/with-server.ts';
import type { Row } from '../row.ts';

export const encoding: Row = {
  id: 'msgpack-encode',
  what: 'MessagePack request with 3 x 10 MB of reference audio: encode',
  target: '<= 3 ms, no payload byte copied',
  async measure() {
    const request = requestWithReferences();
    const { ours, library, base64 } = await interleave(
      {
        ours: () => cpuTime(() => encodeRequest(request)),
        library: () => cpuTime(() => encode(request, { initialBufferSize: 32 * 1024 * 1024 })),
        base64: () =>
          cpuTime(() => {
            const references = request.references.map(({ audio, text }) => ({
              audio: Buffer.from(audio.buffer).toString('base64'),
              text,
            }));
            JSON.stringify({ ...request, references });
          }),
      },
      15,
    );
    const payloads = new Set<ArrayBufferLike>(request.references.map(({ audio }) => audio.buffer));
    const kept = encodeRequest(request).parts.filter((part) => 'buffer' in part && payloads.has(part.buffer));
    return [
      {
        ours,
        unit: 'ms',
        reference: { name: '@msgpack/msgpack', value: library },
        peers: [{ name: 'base64 in JSON', value: base64 }],
        met: ours <= 3 && kept.length === 3,
      },
    ];
  },
};

export const sending: Row = {
  id: 'msgpack-send',
  what: 'sending it',
  target: '<= 20 ms (raw 13 ms), peak memory <= +8 MB',
  measure: () =>
    withServer(async (baseUrl) => {
      const names = ['ours', 'raw', 'hand'] as const;
      const times: Record<string, number[]> = { ours: [], raw: [], hand: [] };
      const peaks: Record<string, number[]> = { ours: [], raw: [], hand: [] };
      for (let round = 0; round < 5; round++) {
        for (const name of names) {
          const { milliseconds, megabytes } = await runChild('send-references', name, baseUrl);
          times[name]?.push(milliseconds ?? Number.NaN);
          peaks[name]?.push(megabytes ?? Number.NaN);
        }
      }
      const time = (name: string) => median(times[name] ?? []);
      const peak = (name: string) => median(peaks[name] ?? []);
      const hand = 'one buffer of @msgpack/msgpack';
      return [
        {
          variant: 'time',
          ours: time('ours'),
          unit: 'ms',
          reference: { name: 'raw fetch of a stream', value: time('raw') },
          peers: [{ name: hand, value: time('hand') }],
          met: time('ours') <= (20 / 13) * time('raw'),
        },
        {
          variant: 'peak memory over baseline',
          ours: peak('ours'),
          unit: 'MB',
          reference: { name: 'raw fetch of a stream', value: peak('raw') },
          peers: [{ name: hand, value: peak('hand') }],
          met: peak('ours') <= 8 + Math.max(0, peak('raw')),
        },
      ];
    }),
};
