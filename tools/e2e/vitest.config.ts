import { patience, seeded, suite } from '@speech-api/config/suite';

/** What a client sees of a service, whichever it is: each file runs against both. */
const service = [
  'bad-input',
  'errors',
  'formats',
  'round-trip',
  'rules',
  'speakers',
  'timestamps',
  'voices-and-wallet',
].map((name) => `test/${name}.test.ts`);

const project = (name: string, include: readonly string[], exclude: readonly string[] = []) => ({
  test: {
    name,
    include: [...include],
    exclude: [...exclude],
    env: { SPEECH_SERVICE: name },
    // Files share what they import: none changes it.
    isolate: false,
    ...seeded,
    ...patience,
  },
});

// The suites that need more than Node, or minutes, have configurations of their own.
// A suite that runs these files in another way keeps results of its own.
export default suite(process.env.SUITE ?? 'test', {
  maxWorkers: 2,
  globalSetup: ['test/testing/shared-services.ts'],
  projects: [
    project('sandbox', service),
    project('mock', service),
    // What needs no service, or starts its own.
    project('others', ['test/**/*.test.ts'], service),
  ],
});
