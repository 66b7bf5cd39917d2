import { suite } from '../../tools/config/src/suite.ts';

// Needs a real redis-server.
export default suite('test-faults', {
  include: ['src/redis.test.ts', ...(process.env.COMPLETE === '1' ? ['src/redis.complete.test.ts'] : [])],
});
