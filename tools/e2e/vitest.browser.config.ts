import { suite } from '@speech-api/config/suite';

// One sandbox and one browser for all files, two of which run at a time: most of the time passes with sound being heard.
export default suite('test-browser', {
  include: ['browser/**/*.test.ts'],
  globalSetup: ['browser/testing/shared-sandbox.ts'],
  maxWorkers: 2,
  // A worker keeps its site from file to file.
  isolate: false,
});
