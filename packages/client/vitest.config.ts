import { suite } from '@speech-api/config/suite';

export default suite('test', {
  include: ['{src,test}/**/*.test.ts'],
  // One test asks for a garbage collection.
  execArgv: ['--expose-gc'],
});
