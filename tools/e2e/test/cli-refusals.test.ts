import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { pixel, text, useSpeech, wordsOf } from './testing/speech-command.ts';
import { useSandbox } from './testing/use-sandbox.ts';

const service = useSandbox();
const { folder, speech } = useSpeech(service);
const book = '# One\n\nThe ferry leaves.\n\n# Two\n\nThe gulls stay.\n';
let wav: Buffer;

beforeAll(async () => {
  expect(await speech(['speak', text, '-o', 'good.wav'])).toMatchObject({ code: 0 });
  wav = await readFile(join(folder, 'good.wav'));
  for (const name of ['empty', 'other']) await mkdir(join(folder, name));
  const files = {
    'some.md': book,
    'said.srt': book,
    'plain.txt': 'No heading here.',
    'cover.png': pixel,
    'picture.gif': 'GIF89a',
    'notes.mp3': 'Dear diary, today I recorded nothing.',
    'empty.mp3': '',
    'film.mp4': Buffer.from('\0\0\0\x10ftypmp42\0\0\0\0\0\0\x40\0moov', 'latin1'),
    'cut.wav': wav.subarray(0, 30),
    'half.wav': wav.subarray(0, wav.length / 2),
    'short.wav': wav.subarray(0, 30_000),
    'other/good.wav': wav,
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
});

type Row = readonly [line: string, code: number, message: RegExp];

/** No server listens at this address: a call would exit with 4. */
const dead = { SPEECH_BASE_URL: 'http://127.0.0.1:2' };

async function expectRefusal([line, code, message]: Row, environment: Record<string, string>): Promise<void> {
  const ran = await speech(wordsOf(line), { environment });
  expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
  expect(ran.stderr.trimEnd().split('\n').length).toBe(1);
  // Keys are never shown, and names of library or interface would not help here.
  expect(ran.stderr).not.toMatch(/wrong-key|createSpeech|createTranscription|reference_id|_bitrate|acceptTr/);
}

test.each<Row>([
  ['speak words -o ""', 2, /'-o, --output <file>' argument '' is invalid\. It is empty/],
  ['speak words -o no/where.wav', 1, /no.where\.wav cannot be written \(ENOENT: .*\)\. Make its folder/],
  ['speak words -o /proc/x.wav', 1, /proc.x\.wav cannot be written \(.*\)\. Name another file\.$/m],
  ['speak words -o good.wav', 2, /--force/],
  ['speak words -o /dev/null --force', 2, /-o - > \/dev\/null/],
  ['speak words -o x.flac', 2, /"flac".*wav, pcm, mp3, opus/],
  ['speak words --reference nofile.wav -o x.wav', 2, /There is no file nofile\.wav/],
  ['speak words --speed 0', 2, /--speed 0 is not from 0\.5 to 2/],
  ['speak words --bitrate 100', 2, /--bitrate 100 is not one of mp3\. Use 64, 128, 192/],
  ['speak words --bitrate 64 --format wav', 2, /for mp3 and opus, not for wav/],
  ['speak words --rate 8000 --format mp3', 2, /--rate 8000 is not a rate of mp3\. Use 32000, 44100/],
  ['speak "-5 degrees" -o x.mp3', 2, /begins with - goes last, after --/],
  ['speak none.mdd -o x.mp3', 2, /no file none\.mdd\. To speak these words, pipe them/],
  ['speak cover.png -o x.mp3', 2, /cover\.png is not text in UTF-8/],
  ['speak said.srt -o said.mp3 --captions srt --force', 2, /said\.srt is read by this command/],
  ['transcribe nothing.mp3', 2, /no file nothing\.mp3/],
  ['transcribe http://127.0.0.1/talk.mp3', 2, /address.*curl -L URL \| speech transcribe -/],
  ['transcribe empty', 2, /not a file.*--recursive/],
  ['transcribe -r empty', 2, /no recording in empty/],
  ['transcribe empty.mp3', 2, /0 bytes.*copy it again/],
  ['transcribe cut.wav', 2, /wav file is damaged.*Copy it again.*ffmpeg/],
  ['transcribe film.mp4', 2, /has no index, which a recorder writes when it stops\. Copy it again/],
  ['transcribe half.wav', 2, /breaks off after \d\.\d s.*--accept-truncated/],
  ['transcribe short.wav --accept-truncated', 2, /1 s or more.*apad/],
  ['transcribe good.wav ./good.wav --output-dir out', 2, /named twice/],
  ['transcribe good.wav other/good.wav --output-dir out', 2, /would both write/],
  ['transcribe good.wav notes.mp3', 2, /--output-dir FOLDER/],
  ['transcribe good.wav -o no/where.txt', 1, /where\.txt cannot be written \(ENOENT/],
  [
    `speak words -o ${'x'.repeat(252)}.wav`,
    1,
    /x\.wav cannot be written \(ENAMETOOLONG: .*\)\. Name another/,
  ],
  ['transcribe good.wav --journal notes.mp3', 1, /notes\.mp3 cannot be made \(EEXIST.*\)\. Name a folder/],
  ['transcribe good.wav --output-dir notes.mp3', 1, /notes\.mp3 cannot be made \(EEXIST.*\)\. Name a folder/],
  ['transcribe good.wav --captions ass', 2, /vtt, srt/],
  ['transcribe good.wav -o x.srt --captions vtt', 2, /--captions vtt does not fit the file name x\.srt/],
  ['transcribe good.wav -o x.mp3', 2, /x\.mp3: a transcript is no audio\. Use .*\.srt/],
  ['speak "<speak>Hello.</speak>" -o x.mp3', 2, /looks like HTML or SSML.*add --text/],
  ['transcribe good.wav --language english', 2, /--language english .* such as en/],
  ['config set api_key secret', 2, /speech config key/],
])('speech %s ends with %i before anything is sent, and says what would work', async (...row) => {
  await expectRefusal(row, dead);
  expect((await readdir(folder)).filter((name) => /^\.?x|partial|parts|^out$/.test(name))).toEqual([]);
  expect(await readFile(join(folder, 'good.wav'))).toEqual(wav);
});

test.each<readonly [...Row, environment: () => Record<string, string>]>([
  ['wallet', 3, /401.*speech config key/, () => ({ SPEECH_API_KEY: 'wrong-key' })],
  ['live words -o x.wav', 3, /401.*speech config key/, () => ({ SPEECH_API_KEY: 'wrong-key' })],
  ['speak words -o x.wav', 3, /402.*speech wallet/, () => ({ SPEECH_API_KEY: 'sandbox-empty' })],
  ['wallet', 1, /404.*check the address: speech config/, () => ({ SPEECH_BASE_URL: `${service.url}/v1` })],
  ['wallet', 3, /SPEECH_API_KEY/, () => ({ SPEECH_API_KEY: '' })],
  ['wallet', 2, /SPEECH_BASE_URL/, () => ({ SPEECH_BASE_URL: '' })],
  ['wallet', 2, /address of the service must begin with http/, () => ({ SPEECH_BASE_URL: 'ftp://h' })],
  ['wallet', 4, /bad port.*check the address/, () => ({ SPEECH_BASE_URL: 'http://127.0.0.1:1' })],
  ['speak words -o x.wav', 4, /speech doctor/, () => dead],
  ['live words -o x.wav', 4, /127\.0\.0\.1:2 \(ECONNREFUSED\)/, () => dead],
  ['speak words --play', 2, /ffplay, mpv.*SPEECH_PLAYER/, () => ({ PATH: folder })],
  ['speak words --play', 2, /no-such-player/, () => ({ SPEECH_PLAYER: 'no-such-player' })],
])('speech %s ends with %i when the service or the machine refuses, and leaves no file', async (...row) => {
  const [line, code, message, environment] = row;
  await expectRefusal([line, code, message], environment());
  expect((await readdir(folder)).filter((name) => /^\.?x|partial|parts/.test(name))).toEqual([]);
});

test('an answer that breaks off is no other scheme, may have been billed, and leaves no file', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': 90_000 });
    response.write(Buffer.alloc(3000, 0xff), () => setTimeout(() => response.destroy(), 50));
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expectRefusal(['speak words -o x.mp3', 4, /broke off.*may have billed/], { SPEECH_BASE_URL: url });
  expect((await readdir(folder)).filter((name) => /^\.?x|partial/.test(name))).toEqual([]);
});

test('--json and --verbose tell more of a failure, and never the key', async () => {
  const environment = { SPEECH_API_KEY: 'wrong-key' };
  const json = await speech(['wallet', '--json'], { environment });
  expect(JSON.parse(json.stderr)).toMatchObject({ error: { kind: 'AuthenticationError', code: 3 } });
  const verbose = await speech(['wallet', '--verbose'], { environment });
  expect(verbose.stderr).toMatch(/status: 401/);
  expect(verbose.stderr).not.toMatch(/wrong-key|documentation: (?!https?:)/);
});
