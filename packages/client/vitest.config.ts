import { suite } from '../../tools/config/src/suite.ts';

export default suite('test', {
  include: ['{src,test}/**/*.test.ts'],
  // One test asks for a garbage collection.
  execArgv: ['--expose-gc'],
  setupFiles: ['src/testing/search-log.ts'],
});
