import { Buffer } from 'node:buffer';
import { encode } from '@msgpack/msgpack';
import { encodeRequest } from '@speech-api/msgpack';
import { compare, type Row } from './measure.ts';

/** A request with three reference clips, as a caller may send it to clone a voice. */
const request = {
  text: 'A sentence in that voice.',
  format: 'pcm' as const,
  references: [1, 2, 3].map((fill) => ({
    audio: new Uint8Array(10e6).fill(fill),
    text: 'What is said in this clip, word for word.',
  })),
};

export const encoding: Row = {
  id: 'msgpack-encode',
  what: 'MessagePack request with 3 x 10 MB of reference audio: encode',
  target: '<= 3 ms, no payload byte copied',
  async measure() {
    const inBase64 = (): string => {
      const base64 = (audio: Uint8Array) => Buffer.from(audio.buffer).toString('base64');
      const references = request.references.map(({ audio, text }) => ({ audio: base64(audio), text }));
      return JSON.stringify({ ...request, references });
    };
    const { ours, library, base64 } = await compare(
      {
        ours: () => void encodeRequest(request),
        library: () => void encode(request, { initialBufferSize: 32 * 1024 * 1024 }),
        base64: () => void inBase64(),
      },
      { clock: 'processor' },
    );
    const payloads = new Set<ArrayBufferLike>(request.references.map(({ audio }) => audio.buffer));
    const uncopied = encodeRequest(request).parts.filter(
      (part) => 'buffer' in part && payloads.has(part.buffer),
    );
    const references = { '@msgpack/msgpack': library, 'base64 in JSON': base64 };
    return [{ ours, unit: 'ms', references, met: ours <= 3 && uncopied.length === 3 }];
  },
};
