import { suite } from '@speech-api/config/suite';

// Needs a real redis-server.
export default suite('test-faults', {
  include: ['src/redis.test.ts', ...(process.env.EVERY_CASE === '1' ? ['src/redis.complete.test.ts'] : [])],
});
