import { suite } from '@speech-api/config/suite';

export default suite('test', { include: ['test/**/*.test.ts'] });
