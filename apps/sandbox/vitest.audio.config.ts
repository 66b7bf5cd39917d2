import { suite } from '@speech-api/config/suite';

export default suite('test-audio', { include: ['test-audio/**/*.test.ts'] });
