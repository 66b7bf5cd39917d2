/** The published packages with something to import, those that others build upon first. */
export const packages: readonly string[] = [
  '@speech-api/types',
  '@speech-api/audio',
  '@speech-api/msgpack',
  '@speech-api/streaming',
  '@speech-api/client',
  '@speech-api/wire',
  '@speech-api/sandbox',
  '@speech-api/mock',
];
