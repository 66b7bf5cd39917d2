import { suite } from '@speech-api/config/suite';

export default suite('test-samples', { include: ['test/**/*.samples.ts'] });
