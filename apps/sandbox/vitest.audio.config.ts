import { suite } from '../../tools/config/src/suite.ts';

export default suite('test-audio', { include: ['test-audio/**/*.test.ts'] });
