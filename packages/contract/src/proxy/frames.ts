import { constants, inflateRawSync } from 'node:zlib';
import type { LiveMessage } from '../exchange.ts';

/** What one side of a WebSocket said: a message, or that it closes. */
export type Said =
  | { readonly message: Pick<LiveMessage, 'frame' | 'bytes'> }
  | { readonly close: { readonly code: number; readonly reason: string } };

const opcodes = { continuation: 0, text: 1, binary: 2, close: 8 } as const;

/** Bytes of what was said before that a compressed message may refer to (RFC 7692, section 7.1.2). */
const windowBytes = 32_768;

/** Ends a compressed message; the sender leaves it out. */
const tail = Buffer.from([0x00, 0x00, 0xff, 0xff]);

/**
 * Reads the bytes of one side of a WebSocket (RFC 6455): frames are unmasked, joined and decompressed. Pings and pongs say nothing.
 *
 * @param maximum bytes of one message, decompressed
 */
export function createFrameReader(maximum: number): (bytes: Uint8Array) => readonly Said[] {
  // Joined only once a frame is whole: joining for each piece is quadratic where one frame comes in many.
  let rest: Uint8Array[] = [];
  let restBytes = 0;
  let needed = 2;
  let window: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];
  let first: Frame | undefined;

  const read = (payload: Buffer, isCompressed: boolean): Uint8Array => {
    if (!isCompressed) return new Uint8Array(payload);
    const message = inflateRawSync(Buffer.concat([payload, tail]), {
      dictionary: window,
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: maximum,
    });
    // Where a side begins each message anew, it refers to nothing that is in here.
    window = Buffer.concat([window, message]).subarray(-windowBytes);
    return new Uint8Array(message);
  };

  return (bytes) => {
    rest.push(bytes);
    restBytes += bytes.length;
    if (restBytes < needed) return [];
    let joined = Buffer.concat(rest);
    const said: Said[] = [];
    for (;;) {
      const frame = readFrame(joined);
      if (typeof frame === 'number') {
        [rest, restBytes, needed] = [[joined], joined.length, frame];
        return said;
      }
      joined = joined.subarray(frame.length);
      const { opcode, payload } = frame;
      if (opcode === opcodes.close) {
        const code = payload.length < 2 ? 1005 : payload.readUInt16BE(0);
        said.push({ close: { code, reason: payload.subarray(2).toString() } });
      }
      if (opcode >= opcodes.close) continue;
      if (opcode !== opcodes.continuation) {
        first = frame;
        parts = [];
      }
      parts.push(payload);
      if (!frame.isLast || first === undefined) continue;
      const kind = first.opcode === opcodes.text ? 'text' : 'binary';
      said.push({ message: { frame: kind, bytes: read(Buffer.concat(parts), first.isCompressed) } });
      first = undefined;
    }
  };
}

interface Frame {
  readonly opcode: number;
  readonly isLast: boolean;
  readonly isCompressed: boolean;
  readonly payload: Buffer;
  /** Bytes of the whole frame. */
  readonly length: number;
}

/** The frame at the beginning; until it is whole, how many bytes are needed to go on. */
function readFrame(bytes: Buffer): Frame | number {
  if (bytes.length < 2) return 2;
  const [head, second] = [bytes.readUInt8(0), bytes.readUInt8(1)];
  const isMasked = (second & 0x80) !== 0;
  const short = second & 0x7f;
  const maskAt = 2 + (short === 127 ? 8 : short === 126 ? 2 : 0);
  const payloadAt = maskAt + (isMasked ? 4 : 0);
  if (bytes.length < payloadAt) return payloadAt;
  const size =
    short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short;
  const length = payloadAt + size;
  if (bytes.length < length) return length;
  const payload = Buffer.from(bytes.subarray(payloadAt, length));
  if (isMasked) {
    const mask = bytes.subarray(maskAt, payloadAt);
    for (let index = 0; index < payload.length; index += 1)
      payload[index] = (payload[index] ?? 0) ^ (mask[index % 4] ?? 0);
  }
  const [isLast, isCompressed] = [(head & 0x80) !== 0, (head & 0x40) !== 0];
  return { opcode: head & 0x0f, isLast, isCompressed, payload, length };
}
