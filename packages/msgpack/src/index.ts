export { type DecodeLimits, decode, type MessagePackExtension } from './decode.ts';
export { type BinaryValue, type EncodedParts, encodeRequest } from './encode-request.ts';
export { MessagePackError, type MessagePackErrorDetails, type MessagePackErrorKind } from './errors.ts';
