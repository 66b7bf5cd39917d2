import { seeded, suite } from '@speech-api/config/suite';

// Not test-audio, which needs ffmpeg, nor the engines, which are workspaces of their own.
export default suite('test', {
  ...seeded,
  include: ['{src,test}/**/*.test.ts'],
  maxWorkers: 2,
  // The files of a worker share what they import, and with it one engine.
  isolate: false,
});
