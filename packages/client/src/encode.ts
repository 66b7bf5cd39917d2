import { mediaTypes } from '@speech-api/types/constants';
import { PartsBody } from './core/upload.ts';
import { createForm, createUrlEncoded } from './form.ts';

/** A request body, ready to be sent and to be sent again. */
export interface EncodedBody {
  readonly body: string | FormData | PartsBody;
  /** To be named in the request; a multipart body names its own, with the boundary. */
  readonly headers: { readonly 'content-type'?: string };
}

/** How a body can be encoded. */
export type BodyType = (typeof mediaTypes)[Exclude<keyof typeof mediaTypes, 'eventStream'>];

/**
 * JSON, or MessagePack whenever there is binary: base64 would cost a third more, and some services refuse it.
 * The encoder is loaded when the first binary comes.
 */
export function encodeBody(value: object): Promise<EncodedBody> {
  return encodeAs(hasBinary(value) ? mediaTypes.msgpack : mediaTypes.json, value);
}

/** `value` in the encoding that is asked for. */
export async function encodeAs(contentType: BodyType, value: object): Promise<EncodedBody> {
  const fields = value as Parameters<typeof createForm>[0];
  const headers = { 'content-type': contentType };
  if (contentType === mediaTypes.json) return { body: JSON.stringify(value), headers };
  if (contentType === mediaTypes.msgpack) {
    const { encodeRequest } = await import('./encode-message-pack.ts');
    const { parts, byteLength } = encodeRequest(value);
    return { body: new PartsBody(parts, byteLength), headers };
  }
  if (contentType === mediaTypes.urlencoded) return { body: createUrlEncoded(fields), headers };
  return { body: createForm(fields), headers: {} };
}

function hasBinary(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value) || value instanceof Blob) return true;
  return Object.values(value).some(hasBinary);
}
