import { suite } from '../config/src/suite.ts';

export default suite('test', { include: ['test/**/*.test.ts'] });
