import { suite } from '@speech-api/config/suite';

// All files share one sandbox and one browser. Two files run at a time, because most time is spent listening.
export default suite('test-browser', {
  include: ['browser/**/*.test.ts'],
  globalSetup: ['browser/testing/shared-sandbox.ts'],
  maxWorkers: 2,
  // A worker keeps its site for all files.
  isolate: false,
});
