import { suite } from '../../../../tools/config/src/suite.ts';

export default suite('test', { include: ['{src,test}/**/*.test.ts'] });
