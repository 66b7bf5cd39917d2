import { suite } from './src/suite.ts';

export default suite('test', { isolate: false, include: ['src/**/*.test.ts'] });
