import { suite } from '@speech-api/config/suite';

// Needs the packages of livekit/package.json; `test:livekit` installs them.
export default suite('test-livekit', { include: ['livekit/*.test.ts'] });
