import { seeded, suite } from '../../tools/config/src/suite.ts';

export default suite('test', { ...seeded, isolate: false, include: ['{src,test,rule-table}/**/*.test.ts'] });
