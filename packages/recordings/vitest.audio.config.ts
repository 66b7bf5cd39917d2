import { suite } from '@speech-api/config/suite';

export default suite('test-audio', {
  include: ['test-audio/**/*.test.ts'],
  // One test listens while ffmpeg works for another one.
  sequence: { concurrent: true },
  maxConcurrency: 2,
});
