import { suite } from '@speech-api/config/suite';

// The package is imported by its own name in the tests of its vitest helper.
export default suite('test', { include: ['src/**/*.test.ts'] });
