import { configDefaults } from 'vitest/config';
import { seeded, suite } from './src/suite.ts';

/** The configuration for workspaces without special needs. */
export default suite('test', {
  ...seeded,
  // The files of a worker share imported modules, because no test changes what another one could see.
  isolate: false,
  // These suites have configurations of their own.
  exclude: [...configDefaults.exclude, '{test-audio,fresh}/**'],
});
