import { suite } from '../../tools/config/src/suite.ts';

// The package is imported by its own name in the tests of its vitest helper.
export default suite('test', { include: ['src/**/*.test.ts'] });
