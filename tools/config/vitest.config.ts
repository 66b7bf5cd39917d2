import { configDefaults } from 'vitest/config';
import { seeded, suite } from './src/suite.ts';

/** For every workspace whose tests need nothing of their own. */
export default suite('test', {
  ...seeded,
  // The files of a worker share what they import: no test changes what another could see.
  isolate: false,
  // These suites have configurations of their own.
  exclude: [...configDefaults.exclude, '{test-audio,fresh}/**'],
});
