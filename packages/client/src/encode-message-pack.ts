// The encoder alone, so that a bundler leaves the decoder out of what is loaded for the first binary.
export { encodeRequest } from '@speech-api/msgpack';
