import { suite } from '@speech-api/config/suite';

// One sandbox for all files, and a browser for each of two workers: most of the time passes with sound being heard.
export default suite('test-browser', {
  include: ['browser/**/*.test.ts'],
  globalSetup: ['browser/testing/shared-sandbox.ts'],
  maxWorkers: 2,
  // A worker keeps its browser and its site from file to file.
  isolate: false,
});
