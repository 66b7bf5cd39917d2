import { suite } from '../../tools/config/src/suite.ts';

export default suite('test', {
  isolate: false,
  include: ['test/**/*.test.ts'],
  typecheck: { enabled: true, include: ['test/**/*.test-d.ts'], tsconfig: 'tsconfig.json' },
});
