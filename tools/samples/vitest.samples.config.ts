import { suite } from '../config/src/suite.ts';

export default suite('test-samples', { include: ['test/**/*.samples.ts'] });
