import { suite } from '@speech-api/config/suite';

// One consumer after the other: they share an installation.
export default suite('test-consumers', {
  include: ['consumers/**/*.test.ts'],
  testTimeout: 600_000,
  hookTimeout: 300_000,
  fileParallelism: false,
});
