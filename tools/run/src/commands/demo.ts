import { build, speakingWorkspaces } from '../turbo.ts';

const help = `npm run demo [-- "any text"]

Speaks a text through the client against a sandbox of its own, and writes
out/demo.opus, out/demo.wav and out/demo.vtt beside a table of words and times.
`;

const defaultText = 'Hello, and welcome. Everything you hear was made on this machine, just now.';

export async function run(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(help);
    return 0;
  }
  const text = args.length > 0 ? args.join(' ') : defaultText;
  if (!(await build([...speakingWorkspaces, '@speech-api/client', '@speech-api/audio']))) return 1;
  const { speakDemo } = await import('../demo/speak-demo.ts');
  return await speakDemo(text);
}
