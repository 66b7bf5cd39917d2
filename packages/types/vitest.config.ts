import { suite } from '@speech-api/config/suite';

export default suite('test', {
  isolate: false,
  include: ['test/**/*.test.ts'],
  typecheck: { enabled: true, include: ['test/**/*.test-d.ts'], tsconfig: 'tsconfig.json' },
});
