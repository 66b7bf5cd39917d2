import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Properties of a file according to an independent decoder. */
export interface Probe {
  readonly codec: string;
  readonly sampleRate: number;
  readonly channels: number;
  /** bit/s over the whole file. */
  readonly bitrate: number;
  /** Seconds of decoded audio. */
  readonly duration: number;
}

/** Whether ffprobe and ffmpeg are available. */
export async function hasFfmpeg(): Promise<boolean> {
  try {
    await Promise.all([run('ffprobe', ['-version']), run('ffmpeg', ['-version'])]);
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads a file with ffprobe and decodes it whole with ffmpeg: what either calls an error is one. (A wav of
 * open length draws warnings: its header promises more than there is.)
 */
export async function probe(file: string, inputOptions: readonly string[]): Promise<Probe> {
  const entries = 'stream=codec_name,sample_rate,channels:format=bit_rate';
  const { stdout, stderr } = await run('ffprobe', [
    ...['-v', 'error', ...inputOptions],
    ...['-show_entries', entries, '-of', 'json', file],
  ]);
  if (stderr.trim() !== '') throw new Error(`ffprobe complains: ${stderr}`);
  const found: {
    streams: { codec_name: string; sample_rate: string; channels: number }[];
    format: { bit_rate: string };
  } = JSON.parse(stdout);
  const [stream] = found.streams;
  if (stream === undefined) throw new Error('ffprobe finds no stream');
  const sampleRate = Number(stream.sample_rate);
  return {
    codec: stream.codec_name,
    sampleRate,
    channels: stream.channels,
    bitrate: Number(found.format.bit_rate),
    duration: (await decodedBytes(file, inputOptions)) / 2 / stream.channels / sampleRate,
  };
}

async function decodedBytes(file: string, inputOptions: readonly string[]): Promise<number> {
  const { stdout, stderr } = await run(
    'ffmpeg',
    ['-v', 'error', ...inputOptions, '-i', file, '-f', 's16le', '-'],
    { encoding: 'buffer', maxBuffer: 1 << 28 },
  );
  if (stderr.toString().trim() !== '') throw new Error(`ffmpeg complains: ${stderr}`);
  return stdout.length;
}
