import { mkdir, writeFile } from 'node:fs/promises';
import { build, speakingWorkspaces } from './processes.ts';

const defaultText = 'Hello, and welcome. Everything you hear was made on this machine, just now.';

/** Speaks a text with timestamps through the client, and leaves sound and captions in `out/`. */
export async function demo(args: readonly string[]): Promise<number> {
  const text = args.join(' ') || defaultText;
  if (!(await build([...speakingWorkspaces, '@speech-api/client', '@speech-api/audio']))) return 1;
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
    await mkdir('out', { recursive: true });
    await writeFile('out/demo.opus', audio);
    await writeFile('out/demo.vtt', timeline.toVtt());
    await writeFile('out/demo.wav', await wav.bytes());
    console.table(timeline.segments, ['text', 'start', 'end']);
    process.stdout.write('Written: out/demo.opus, out/demo.wav, out/demo.vtt\n');
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return interrupted.signal.aborted ? 130 : 1;
  } finally {
    process.off('SIGINT', interrupt);
    await sandbox.close();
  }
}
