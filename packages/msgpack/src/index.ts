export { type DecodeLimits, decode, type MessagePackExtension } from './decode.ts';
export {
  asPart,
  type BinaryValue,
  type EncodedParts,
  encodeRequest,
  isBinary,
  isBlob,
} from './encode-request.ts';
export { MessagePackError, type MessagePackErrorKind } from './errors.ts';
