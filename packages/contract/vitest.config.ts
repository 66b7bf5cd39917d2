import { seeded, suite } from '@speech-api/config/suite';

export default suite('test', { ...seeded, isolate: false, include: ['{src,test,rule-table}/**/*.test.ts'] });
