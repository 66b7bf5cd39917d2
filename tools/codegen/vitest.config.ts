import { suite } from '@speech-api/config/suite';

export default suite('test', { isolate: false, include: ['src/**/*.test.ts'] });
