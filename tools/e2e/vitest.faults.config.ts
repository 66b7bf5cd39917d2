import { suite } from '@speech-api/config/suite';

export default suite('test-faults', {
  include: ['faults/**/*.test.ts'],
  // What speaks for minutes takes many times as long on a busy machine.
  testTimeout: 300_000,
  fileParallelism: false,
});
