import { suite } from '@speech-api/config/suite';

// Needs openssl, ffmpeg, curl, Bun or Deno: see vitest.samples.config.ts.
export default suite('test', { include: ['test/**/*.test.ts'] });
