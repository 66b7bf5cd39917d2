/**
 * The published packages with something to import, those that most readers import first.
 * `DOCS_QUICK` leaves their pages out, for a look at anything else.
 */
export const packages: readonly string[] =
  process.env.DOCS_QUICK === undefined
    ? [
        '@speech-api/client',
        '@speech-api/live',
        '@speech-api/recordings',
        '@speech-api/streaming',
        '@speech-api/audio',
        '@speech-api/msgpack',
        '@speech-api/ai-sdk',
        '@speech-api/relay',
        '@speech-api/mock',
        '@speech-api/contract',
        '@speech-api/sandbox',
        '@speech-api/types',
      ]
    : [];
