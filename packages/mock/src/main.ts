import { runServerCommand, versionOf } from '@speech-api/server';
import { type CommandLine, callLines, helpText, readCommandLine } from './command-line.ts';
import { startMock } from './start-mock.ts';

let calls = 0;
let violated = 0;
const version = versionOf(import.meta.url);

await runServerCommand<CommandLine>({
  helpText,
  version,
  read: readCommandLine,
  start: (options, say) =>
    startMock({
      ...options,
      onCall(call) {
        calls += 1;
        if (!call.valid) violated += 1;
        if (options.json) process.stdout.write(`${JSON.stringify(call)}\n`);
        else for (const line of callLines(call)) say(line);
      },
    }),
  greet: (_, { lenient }) => [`Speech mock ${version}, ${lenient ? 'lenient' : 'strict'}. Ctrl-C ends it.`],
  during: (url, { during, keys }) =>
    during.length === 0
      ? undefined
      : {
          words: during,
          environment: {
            SPEECH_BASE_URL: url,
            SPEECH_WEBSOCKET_URL: url.replace('http', 'ws'),
            SPEECH_API_KEY: keys?.[0] ?? 'any-key',
          },
        },
  farewell: ({ failOnViolation, during }) => ({
    line:
      `${calls} ${calls === 1 ? 'call' : 'calls'}, ${violated} against the specification.` +
      (calls === 0 && during.length > 0 ? ' Check that your code calls SPEECH_BASE_URL.' : ''),
    exitCode: failOnViolation && violated > 0 ? 1 : 0,
  }),
});
