import { mediaTypes } from '@speech-api/types';
import { PartsBody } from './core/upload.ts';

/** A request body, ready to be sent and to be sent again. */
export interface EncodedBody {
  readonly body: string | PartsBody;
  readonly contentType: string;
}

/**
 * JSON, or MessagePack whenever there is binary: base64 would cost a third more, and some services refuse it.
 * The encoder is loaded when the first binary comes.
 */
export async function encodeBody(value: object): Promise<EncodedBody> {
  if (!hasBinary(value)) return { body: JSON.stringify(value), contentType: mediaTypes.json };
  return { body: await encodeMessagePack(value), contentType: mediaTypes.msgpack };
}

/** MessagePack, its binaries the caller's own memory. The encoder is loaded at the first call. */
export async function encodeMessagePack(value: object): Promise<PartsBody> {
  const { encodeRequest } = await import('./encode-message-pack.ts');
  const { parts, byteLength } = encodeRequest(value);
  return new PartsBody(parts, byteLength);
}

function hasBinary(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value) || value instanceof Blob) return true;
  return Object.values(value).some(hasBinary);
}
