import { mediaTypes } from '@speech-api/types';

/** A request body, ready to be sent and to be sent again. */
export interface EncodedBody {
  readonly body: string | Blob;
  readonly contentType: string;
}

/**
 * JSON, or MessagePack whenever there is binary: base64 would cost a third more, and some services refuse it.
 * The encoder is loaded when the first binary comes.
 */
export async function encodeBody(value: object): Promise<EncodedBody> {
  if (!hasBinary(value)) return { body: JSON.stringify(value), contentType: mediaTypes.json };
  const { encodeRequest } = await import('./encode-message-pack.ts');
  const { parts } = encodeRequest(value);
  return { body: new Blob([...parts] as BlobPart[]), contentType: mediaTypes.msgpack };
}

function hasBinary(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value) || value instanceof Blob) return true;
  return Object.values(value).some(hasBinary);
}
