import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { RecordingError } from '../errors.ts';

/** Containers that ffmpeg may read here: none that names other files to be opened. */
const containers =
  'aac,aiff,amr,amrnb,amrwb,asf,au,avi,caf,flac,flv,matroska,webm,mov,mp4,m4a,mp3,mpeg,mpegts,ogg,w64,wav';
const complaintBytes = 2000;

/** @returns whether an ffmpeg is on the PATH */
export async function hasFfmpeg(): Promise<boolean> {
  const child = spawn('ffmpeg', ['-version'], { stdio: 'ignore', windowsHide: true });
  return once(child, 'close').then(
    ([code]) => code === 0,
    () => false,
  );
}

/**
 * Any recording as 16-bit wav of one channel at 16 kHz, by an ffmpeg, which may open this file and nothing else. Silence
 * is put in where packets are missing.
 *
 * @param deadline - Milliseconds without a byte after which it is ended.
 * @throws RecordingError for what ffmpeg complains about: what it leaves out would make later times wrong.
 */
export async function* shrinkWithFfmpeg(
  source: { readonly path: string } | AsyncIterable<Uint8Array>,
  { deadline, acceptTruncated = false }: { deadline: number; acceptTruncated?: boolean | undefined },
): AsyncGenerator<Uint8Array, void, undefined> {
  const isPath = 'path' in source;
  const input = isPath ? ['-protocol_whitelist', 'file', '-i', `file:${source.path}`] : ['-i', 'pipe:0'];
  const whitelist = isPath ? [] : ['-protocol_whitelist', 'pipe'];
  const output = ['-vn', '-af', 'aresample=async=1:first_pts=0', '-ac', '1', '-ar', '16000'];
  const child = spawn(
    'ffmpeg',
    [
      ...['-v', 'error', '-nostdin', '-format_whitelist', containers, ...whitelist, ...input],
      ...[...output, '-c:a', 'pcm_s16le', '-f', 'wav', 'pipe:1'],
    ],
    { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true },
  );
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, complaintBytes);
  });
  let isLate = false;
  const startTimer = (): NodeJS.Timeout =>
    setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, deadline);
  let timer = startTimer();
  // It may end before it has read everything.
  child.stdin.on('error', () => {});
  if (isPath) child.stdin.end();
  else
    Readable.from(source, { objectMode: false })
      .on('error', () => child.kill())
      .pipe(child.stdin);
  const closed = once(child, 'close');
  closed.catch(() => {});
  try {
    for await (const piece of child.stdout) {
      // It waits while nobody wants more.
      clearTimeout(timer);
      yield piece as Uint8Array;
      timer = startTimer();
    }
    const [code] = (await closed) as [number | null];
    if (isLate) {
      throw new RecordingError(
        `ffmpeg made nothing of this recording within ${deadline} ms. It may be built to do that.`,
        'too-slow',
      );
    }
    if (code !== 0 || (complaint !== '' && !acceptTruncated)) {
      const [first = ''] = complaint.replaceAll(isPath ? source.path : '', 'the file').split('\n');
      throw new RecordingError(
        `This recording is damaged, or ffmpeg cannot read it: ${first || `it ended with ${code}`}. To transcribe what can be read, pass acceptTruncated: true (--accept-truncated).`,
        'damaged',
      );
    }
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}
