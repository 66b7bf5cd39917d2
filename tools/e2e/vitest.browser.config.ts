import { suite } from '@speech-api/config/suite';

// One browser, one sandbox, and sound in real time: side by side the tests would only wait for each other.
export default suite('test-browser', {
  include: ['browser/**/*.test.ts'],
  fileParallelism: false,
});
