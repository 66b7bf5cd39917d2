import { suite } from '@speech-api/config/suite';

// No test changes what another could see: one thread for all files starts once.
export default suite('test', { include: ['src/**/*.test.ts'], isolate: false });
