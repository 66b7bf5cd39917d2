import { suite } from '../../tools/config/src/suite.ts';

export default suite('test', { isolate: false, include: ['{src,test}/**/*.test.ts'] });
