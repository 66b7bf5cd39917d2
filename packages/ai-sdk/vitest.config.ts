import { seeded, suite } from '../../tools/config/src/suite.ts';

export default suite('test', { ...seeded, include: ['{src,test}/**/*.test.ts'] });
