/**
 * The published packages with something to import, those that others build upon first.
 * `DOCS_QUICK` leaves their pages out, for a look at anything else.
 */
export const packages: readonly string[] =
  process.env.DOCS_QUICK === undefined
    ? [
        '@speech-api/types',
        '@speech-api/audio',
        '@speech-api/msgpack',
        '@speech-api/streaming',
        '@speech-api/client',
        '@speech-api/server',
        '@speech-api/sandbox',
        '@speech-api/mock',
        '@speech-api/contract',
      ]
    : [];
