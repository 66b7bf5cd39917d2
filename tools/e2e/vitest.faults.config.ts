import { suite } from '../config/src/suite.ts';

export default suite('test-faults', {
  include: ['faults/**/*.test.ts'],
  fileParallelism: false,
});
