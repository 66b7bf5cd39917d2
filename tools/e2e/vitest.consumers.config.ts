import { suite } from '@speech-api/config/suite';

/** `doors` alone is a file of its own; the other names are those of consumers. */
const file = { '': '*', doors: 'doors' }[process.env.CONSUMERS ?? ''] ?? 'consumers';

export default suite('test-consumers', {
  include: [`consumers/${file}.test.ts`],
  testTimeout: 600_000,
  hookTimeout: 300_000,
  fileParallelism: false,
  // While one consumer waits for an installation or a server, another one has the processor.
  maxConcurrency: 2,
});
