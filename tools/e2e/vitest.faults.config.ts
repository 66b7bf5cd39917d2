import { suite } from '@speech-api/config/suite';

export default suite('test-faults', {
  include: ['faults/**/*.test.ts'],
  // Tests with minutes of speech take many times as long on a busy machine.
  testTimeout: 300_000,
  fileParallelism: false,
});
