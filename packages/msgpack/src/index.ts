export type { BinaryValue } from './binary.ts';
export { type DecodeLimits, decode, defaultDecodeLimits, type MessagePackExtension } from './decode.ts';
export { type EncodedParts, encodeRequest, maximumEncodeDepth } from './encode-request.ts';
export { MessagePackError, type MessagePackErrorDetails, type MessagePackErrorKind } from './errors.ts';
