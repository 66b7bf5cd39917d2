import { seeded, suite } from '@speech-api/config/suite';

// The tests of Redis have a configuration of their own: they need more than Node.
export default suite('test', { ...seeded, include: ['src/**/*.test.ts'], exclude: ['src/redis*.test.ts'] });
