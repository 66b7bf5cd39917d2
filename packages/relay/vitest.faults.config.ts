import { suite } from '../../tools/config/src/suite.ts';

// Needs a real redis-server.
export default suite('test-faults', { include: ['src/redis.test.ts'] });
