import { seeded, suite } from '@speech-api/config/suite';

export default suite('test', { ...seeded, include: ['{src,test}/**/*.test.ts'] });
