export type ServiceName = 'sandbox' | 'mock';

/** Which service this run is against: each is a project of vitest.config.ts, which sets the variable. */
export function serviceName(): ServiceName {
  const name = process.env.SPEECH_SERVICE;
  if (name === 'sandbox' || name === 'mock') return name;
  throw new Error(`SPEECH_SERVICE must be sandbox or mock, not ${name}: run the tests by vitest.config.ts.`);
}
