import { suite } from '@speech-api/config/suite';

export default suite('test', {
  // One test asks for a garbage collection.
  execArgv: ['--expose-gc'],
});
