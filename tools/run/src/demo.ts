import { mkdir, writeFile } from 'node:fs/promises';
import { build, speakingWorkspaces } from './processes.ts';
import { wordTable } from './word-table.ts';

const defaultText = 'Hello, and welcome. Everything you hear was made on this machine, just now.';

export async function demo(args: readonly string[]): Promise<number> {
  const text = args.length > 0 ? args.join(' ') : defaultText;
  if (!(await build([...speakingWorkspaces, '@speech-api/client', '@speech-api/audio']))) return 1;
  return await speakDemo(text);
}

const directory = 'out';

/** Speaks the text with timestamps through the client, and leaves sound and captions in `out/`. */
async function speakDemo(text: string): Promise<number> {
  const { createSpeechClient } = await import('@speech-api/client');
  const { startSandbox } = await import('@speech-api/sandbox');
  const sandbox = await startSandbox({ port: 0, logger: () => {} });
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort(new Error('Interrupted.'));
  process.once('SIGINT', interrupt);
  try {
    const client = createSpeechClient({ apiKey: 'sandbox-key', baseUrl: sandbox.url });
    const options = { signal: interrupted.signal };
    const stream = await client.speech.streamWithTimestamps({ text, format: 'opus' }, options);
    const { audio, timeline } = await stream.collect();
    const wav = await client.speech.create({ text, format: 'wav' }, options);
    await mkdir(directory, { recursive: true });
    await writeFile(`${directory}/demo.opus`, audio);
    await writeFile(`${directory}/demo.vtt`, timeline.toVtt());
    await writeFile(`${directory}/demo.wav`, await wav.bytes());
    process.stdout.write(`${wordTable(timeline.segments)}\n`);
    process.stdout.write(
      `Written: ${['opus', 'wav', 'vtt'].map((ending) => `${directory}/demo.${ending}`).join(', ')}\n`,
    );
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return interrupted.signal.aborted ? 130 : 1;
  } finally {
    process.off('SIGINT', interrupt);
    await sandbox.close();
  }
}
