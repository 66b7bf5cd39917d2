import { patience, seeded, suite } from '@speech-api/config/suite';

/** Tests of the behaviour that clients see in any service: each file runs against both. */
const service = ['formats', 'round-trip', 'rules', 'speakers', 'timestamps', 'voices'].map(
  (name) => `test/${name}.test.ts`,
);

const project = (name: string, include: readonly string[], exclude: readonly string[] = []) => ({
  test: {
    name,
    include: [...include],
    exclude: [...exclude],
    env: { SPEECH_SERVICE: name },
    // Files share imported modules, because none changes them.
    isolate: false,
    ...seeded,
    ...patience,
  },
});

// Suites that need more than Node, or take minutes, have their own configurations.
export default suite('test', {
  maxWorkers: 2,
  globalSetup: ['test/testing/shared-services.ts'],
  projects: [
    project('sandbox', service),
    project('mock', service),
    // Tests that need no service, or start their own.
    project('others', ['test/**/*.test.ts'], service),
  ],
});
