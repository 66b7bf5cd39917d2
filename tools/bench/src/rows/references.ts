import { Buffer } from 'node:buffer';
import { encode } from '@msgpack/msgpack';
import { encodeRequest } from '@speech-api/msgpack';
import { cpuTime, interleave, median, type Row } from '../measure.ts';
import { runChild, startServer } from '../processes.ts';
import { requestWithReferences } from '../request-with-references.ts';

const encoding: Row = {
  id: 'msgpack-encode',
  what: 'MessagePack request with 3 x 10 MB of reference audio: encode',
  target: '<= 3 ms, no payload byte copied',
  async measure() {
    const request = requestWithReferences();
    const inBase64 = () => {
      const base64 = (audio: Uint8Array) => Buffer.from(audio.buffer).toString('base64');
      const references = request.references.map(({ audio, text }) => ({ audio: base64(audio), text }));
      JSON.stringify({ ...request, references });
    };
    const { ours, library, base64 } = await interleave(
      {
        ours: () => cpuTime(() => encodeRequest(request)),
        library: () => cpuTime(() => encode(request, { initialBufferSize: 32 * 1024 * 1024 })),
        base64: () => cpuTime(inBase64),
      },
      15,
    );
    const payloads = new Set<ArrayBufferLike>(request.references.map(({ audio }) => audio.buffer));
    const kept = encodeRequest(request).parts.filter((part) => 'buffer' in part && payloads.has(part.buffer));
    const references = { '@msgpack/msgpack': library, 'base64 in JSON': base64 };
    return [{ ours, unit: 'ms', references, met: ours <= 3 && kept.length === 3 }];
  },
};

const sending: Row = {
  id: 'msgpack-send',
  what: 'sending it',
  target: '<= 20 ms (raw 13 ms), peak memory <= +8 MB',
  async measure() {
    await using server = await startServer('bare');
    const peaks = { ours: [] as number[], raw: [] as number[], hand: [] as number[] };
    const send = (name: keyof typeof peaks) => async () => {
      const { milliseconds, megabytes } = await runChild('send-references', name, server.url);
      peaks[name].push(megabytes ?? Number.NaN);
      return milliseconds;
    };
    const times = await interleave({ ours: send('ours'), raw: send('raw'), hand: send('hand') }, 5);
    const beside = (raw: number, hand: number) => ({
      'raw fetch of a stream': raw,
      'one buffer of @msgpack/msgpack': hand,
    });
    const [ours, raw, hand] = [median(peaks.ours), median(peaks.raw), median(peaks.hand)];
    return [
      {
        variant: 'time',
        ours: times.ours,
        unit: 'ms',
        references: beside(times.raw, times.hand),
        met: times.ours <= (20 / 13) * times.raw,
      },
      {
        variant: 'peak memory over baseline',
        ours,
        unit: 'MB',
        references: beside(raw, hand),
        met: ours <= 8 + Math.max(0, raw),
      },
    ];
  },
};

export const references: readonly Row[] = [encoding, sending];
