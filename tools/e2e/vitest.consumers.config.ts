import { suite } from '@speech-api/config/suite';

export default suite('test-consumers', {
  include: [process.env.CONSUMERS ? 'consumers/consumers.test.ts' : 'consumers/*.test.ts'],
  testTimeout: 600_000,
  hookTimeout: 300_000,
  fileParallelism: false,
  // While one consumer waits for an installation or a server, another one has the processor.
  maxConcurrency: 2,
});
