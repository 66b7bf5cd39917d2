import type { LiveMessage } from './carried.ts';

const opcodes = { text: 1, binary: 2, close: 8 } as const;

/** What is taken out of a stream of frames: a whole message, or bytes of a control frame to hand on as they are. */
export type Taken = { readonly message: LiveMessage } | { readonly raw: Buffer };

/**
 * Cuts the bytes of one direction of a WebSocket into messages. Ping and pong are handed on as they are; fragments are joined.
 *
 * @throws Error for compressed frames: a proxy that offers no extension never sees one
 */
export function createFrameReader(): (bytes: Buffer) => Taken[] {
  let rest: Buffer = Buffer.alloc(0);
  let fragments: { readonly kind: 'text' | 'binary'; readonly parts: Buffer[] } | undefined;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    const taken: Taken[] = [];
    for (let frame = readFrame(rest); frame !== undefined; frame = readFrame(rest)) {
      const whole = rest.subarray(0, frame.length);
      rest = rest.subarray(frame.length);
      const { opcode, payload, final } = frame;
      if (opcode === opcodes.close) taken.push({ message: { kind: 'close', payload } });
      else if (opcode > opcodes.close) taken.push({ raw: whole });
      else {
        fragments ??= { kind: opcode === opcodes.text ? 'text' : 'binary', parts: [] };
        fragments.parts.push(payload);
        if (!final) continue;
        taken.push({ message: { kind: fragments.kind, payload: Buffer.concat(fragments.parts) } });
        fragments = undefined;
      }
    }
    return taken;
  };
}

interface Frame {
  readonly opcode: number;
  readonly final: boolean;
  readonly payload: Buffer;
  /** Bytes of the whole frame. */
  readonly length: number;
}

function readFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < 2) return undefined;
  const [first, second] = [bytes.readUInt8(0), bytes.readUInt8(1)];
  if ((first & 0x70) !== 0) throw new Error('a frame uses an extension, and none was agreed on');
  const short = second & 0x7f;
  const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0;
  const maskAt = 2 + lengthBytes;
  const payloadAt = maskAt + ((second & 0x80) === 0 ? 0 : 4);
  if (bytes.length < payloadAt) return undefined;
  const size = lengthBytes === 0 ? short : Number(readLength(bytes, lengthBytes));
  const length = payloadAt + size;
  if (bytes.length < length) return undefined;
  const payload = Buffer.from(bytes.subarray(payloadAt, length));
  if (payloadAt > maskAt) mask(payload, bytes.subarray(maskAt, payloadAt));
  return { opcode: first & 0x0f, final: (first & 0x80) !== 0, payload, length };
}

const readLength = (bytes: Buffer, size: number): bigint =>
  size === 8 ? bytes.readBigUInt64BE(2) : BigInt(bytes.readUInt16BE(2));

function mask(payload: Buffer, key: Buffer): void {
  for (const [index, byte] of payload.entries()) payload[index] = byte ^ (key[index % 4] ?? 0);
}

/** A message as one frame. A client's are masked; the key need not be a secret between a proxy and its server. */
export function writeFrame({ kind, payload }: LiveMessage, from: 'server' | 'client'): Buffer {
  const { length } = payload;
  const lengthBytes = length > 0xffff ? 8 : length > 125 ? 2 : 0;
  const head = Buffer.alloc(2 + lengthBytes);
  head.writeUInt8(0x80 | opcodes[kind], 0);
  const masked = from === 'client' ? 0x80 : 0;
  head.writeUInt8(masked | (lengthBytes === 8 ? 127 : lengthBytes === 2 ? 126 : length), 1);
  if (lengthBytes === 8) head.writeBigUInt64BE(BigInt(length), 2);
  if (lengthBytes === 2) head.writeUInt16BE(length, 2);
  if (from === 'server') return Buffer.concat([head, payload]);
  const key = Buffer.from([1, 2, 3, 4]);
  const hidden = Buffer.from(payload);
  mask(hidden, key);
  return Buffer.concat([head, key, hidden]);
}
