import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { writeWavHeader } from '@speech-api/audio';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { accessibilityProblems } from './testing/accessibility.ts';
import { silentAddress } from './testing/free-port.ts';
import { download, openPlayground, waitForState } from './testing/playground.ts';
import { readCaptions } from './testing/read-captions.ts';
import { sayAsWav } from './testing/say.ts';
import { pictureEach } from './testing/screens.ts';
import { saidAtMicrophone } from './testing/shared-sandbox.ts';
import { useBrowser } from './testing/use-browser.ts';
import { takeLit, watchLit } from './testing/watch-lit.ts';

const sentence = 'The harbour was empty before breakfast, and nobody knew where the boat had gone.';
const lastSentence = 'A gull was the only one who had seen it leave.';
const silentSeconds = 60;
/** Until what the microphone hears was said once, after its silence. */
const recordedSeconds = 10;
/** An m4a file whose table says that each chunk has four thousand million frames: its reader never comes to an end. */
const spinning = gunzipSync(
  Buffer.from(
    'H4sIAAAAAAACA92PQU4CQRBFXzcgLlwQgwkLFqPxBMgBMHHr0rhxM9AgE6YZMtWQaFz0HbyGx3DBTg/gIbzBEAYJAxgTt/z0T1dVV9evDzQH7mly274OQLO8I0lsJEkL9LdNkhkQ29nQsIW3G5iDys8GartrN+/wJzToF5eGI+DBjXLN6v60+b7Ev3R1w5ooBAJrfvd1954n50MTp+sXSabjXZUPG40HQE3s1qBLs6o3TdofFFY6maZxsIrVq7huDDyKE1PoubeTdrhnQ1Fbrwdc9cXIMih57y9QlL339c4ZlKHSXbLivdenx0fee6WBhjgnhbGtvBea4qRXqKssy7Kf+EucPBdstVh9OgTWxfWSje9SHfi0JnSqEVQPgQunXgJt3AMAAA==',
    'base64',
  ),
);
const words = sentence.replace(/[.,]/g, '').split(' ');

describe('the transcription in Chromium', () => {
  const browser = useBrowser();
  let folder = '';
  afterEach(async () => {
    if (folder !== '') await rm(folder, { recursive: true, force: true });
  });

  async function chooseSpoken(page: Page): Promise<void> {
    const buffer = Buffer.from(await sayAsWav(browser.sandbox.url, sentence));
    await page.setInputFiles('[data-file]', { name: 'harbour.wav', mimeType: 'audio/wav', buffer });
    await page.locator('.island[data-loaded="file"]').waitFor();
  }

  async function transcribe(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Transcribe' }).click();
    await waitForState(page, 'done');
  }

  async function waitForEnd(page: Page): Promise<void> {
    await page.waitForFunction(() => {
      const { seenLit } = window as unknown as { seenLit: string[] };
      const isPaused = document.querySelector<HTMLAudioElement>('[data-audio]')?.paused === true;
      return isPaused && seenLit.length > 0;
    });
  }

  test('tells the words of a file, with captions that parse and the answer as it came', async () => {
    const page = await openPlayground(browser, 'transcribe/');
    await chooseSpoken(page);
    await transcribe(page);
    expect(await page.textContent('[data-text]')).toBe(sentence);
    expect(await page.textContent('[data-status]')).toMatch(/^[\d.]+ s, 14 segments\.$/);
    for (const kind of ['vtt', 'srt']) {
      const captions = readCaptions(await readFile(await download(page, `[data-save="${kind}"]`), 'utf8'));
      expect(captions.map(({ text }) => text).join(' ')).toBe(sentence);
      expect(captions.every(({ start, end }) => end > start)).toBe(true);
    }
    expect(await readFile(await download(page, '[data-save="txt"]'), 'utf8')).toBe(sentence);
    await page.click('[data-tab="answer"]');
    expect(await accessibilityProblems(page)).toEqual([]);
    const answer = JSON.parse((await page.textContent('[data-code="answer"]')) ?? '');
    expect(answer.segments.map(({ text }: { text: string }) => text)).toEqual(words);
  });

  test('sends the form that was filled in, and shows the command and the code for it', async () => {
    browser.site.sandboxUrl = browser.proxy.url;
    const page = await openPlayground(browser, 'transcribe/');
    await page.fill('[name="language"]', 'en');
    await page.getByLabel('Timestamps').uncheck();
    await chooseSpoken(page);
    await transcribe(page);
    const [body = ''] = browser.proxy.bodies;
    expect(body).toContain('name="audio"; filename="harbour.wav"');
    expect(body).toMatch(/name="ignore_timestamps"\r\n\r\ntrue/);
    expect(body).toMatch(/name="language"\r\n\r\nen/);
    const shown = async (name: string) => (await page.locator(`[data-code="${name}"]`).textContent()) ?? '';
    expect(await shown('curl')).toContain(`--form 'audio=@"harbour.wav"'`);
    expect(await shown('curl')).toContain("--form-string 'language=en'");
    expect(await shown('typescript')).toContain('ignore_timestamps: true');
    expect(await page.textContent('[data-hint]')).toBe('Captions come with timestamps.');
    expect(await page.isDisabled('[data-save="vtt"]')).toBe(true);
    expect(await page.isEnabled('[data-save="txt"]')).toBe(true);
  });

  test('plays from the caption and from the word that is pressed, and lights what is heard', async () => {
    const page = await openPlayground(browser, 'transcribe/');
    await chooseSpoken(page);
    await transcribe(page);
    const heard = async () =>
      (await takeLit(page)).map((text) => words.indexOf(text)).filter((index) => index >= 0);
    await watchLit(page);
    await page.locator('[data-captions] .words span', { hasText: 'nobody' }).click();
    await waitForEnd(page);
    const fromWord = await heard();
    expect(fromWord.length).toBeGreaterThan(0);
    expect(Math.min(...fromWord)).toBeGreaterThanOrEqual(words.indexOf('nobody'));
    await page.locator('[data-captions] button').first().focus();
    await page.keyboard.press('Enter');
    await pictureEach(browser, page, 'transcribe');
    await waitForEnd(page);
    expect(Math.min(...(await heard()))).toBeLessThan(words.indexOf('nobody'));
    expect(await page.locator('.composer [data-lit]').count()).toBe(0);
  });

  test('has a recording made by the service for those who have none, and tells its words', async () => {
    const page = await openPlayground(browser, 'transcribe/');
    await page.getByRole('button', { name: 'Have one spoken' }).click();
    await page.locator('.island[data-loaded="service"]').waitFor();
    await transcribe(page);
    expect(await page.textContent('[data-text]')).toContain('the sandbox has made itself');
  });

  test('sends nothing more while an answer is on its way, so that Stop ends all that is paid for', async () => {
    const page = await openPlayground(browser, 'transcribe/');
    await chooseSpoken(page);
    let transcriptions = 0;
    // None of them is answered.
    await page.route('**/v1/asr', () => {
      transcriptions += 1;
    });
    await page.getByRole('button', { name: 'Transcribe' }).dblclick();
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => transcriptions).toBeGreaterThan(0);
    await page.click('[data-stop]');
    await waitForState(page, 'stopped');
    expect(transcriptions).toBe(1);
    // Nor the recording that was chosen before, while another one is asked for.
    let speak = () => {};
    await page.route('**/v1/tts', (route) => {
      speak = () => void route.continue();
    });
    const asked = page.waitForRequest('**/v1/tts');
    await page.getByRole('button', { name: 'Have one spoken' }).click();
    await asked;
    await page.keyboard.press('Control+Enter');
    speak();
    await page.locator('.island[data-loaded="service"]').waitFor();
    expect(transcriptions).toBe(1);
  });

  test('says that the sandbox recalls and does not recognise, where it was not the one who spoke', async () => {
    const page = await openPlayground(browser, 'transcribe/');
    // Speech that nobody has said: its samples from the last to the first.
    const said = await sayAsWav(browser.sandbox.url, sentence);
    const samples = new Int16Array(said.slice(44).buffer).reverse();
    const wav = Buffer.concat([said.subarray(0, 44), new Uint8Array(samples.buffer)]);
    await page.setInputFiles('[data-file]', { name: 'a.wav', mimeType: 'audio/wav', buffer: wav });
    await transcribe(page);
    expect(await page.textContent('[data-hint]')).toContain('recognises no speech');
  });

  test('says what is wrong: no recording, no audio in it, another key, no sandbox, a connection that breaks', async () => {
    browser.site.sandboxUrl = browser.proxy.url;
    const page = await openPlayground(browser, 'transcribe/');
    const problem = page.locator('[data-problem] strong');
    const press = async () => {
      await page.getByRole('button', { name: 'Transcribe' }).click();
      await problem.waitFor();
      const text = await problem.textContent();
      return text;
    };
    expect(await press()).toBe('There is no recording yet');
    const buffer = Buffer.from('this is no audio at all');
    await page.setInputFiles('[data-file]', { name: 'notes.txt', mimeType: 'text/plain', buffer });
    await page.getByText('This browser cannot play the file.').waitFor();
    expect(await press()).toMatch(/^The service refused with 4\d\d$/);
    await chooseSpoken(page);
    await page.click('[data-connection] summary');
    await page.fill('[data-key]', 'not-a-key');
    expect(await press()).toBe('The key was refused');
    await page.fill('[data-key]', 'sandbox-key');
    browser.proxy.cutAfter = 1;
    expect(await press()).toBe('The connection broke before the answer was complete');
    const silent = await silentAddress();
    await page.fill('[data-base-url]', silent);
    expect(await press()).toBe(`No sandbox answers at ${silent}`);
    await browser.picture(page, 'transcribe-sandbox-missing');
  });

  /** Two sentences with a minute of silence between them, as a studio records them: more bytes than one call takes. */
  async function longWav(): Promise<Buffer> {
    const [first = new Int16Array(), last = new Int16Array()] = await Promise.all(
      [sentence, lastSentence].map(
        async (text) => new Int16Array((await sayAsWav(browser.sandbox.url, text)).slice(44).buffer),
      ),
    );
    const mono = new Int16Array(first.length + silentSeconds * 44_100 + last.length);
    mono.set(first);
    mono.set(last, mono.length - last.length);
    const samples = new Float32Array(mono.length * 2);
    for (const [index, sample] of mono.entries()) samples.fill(sample / 32_768, index * 2, index * 2 + 2);
    const header = Buffer.from(writeWavHeader({ sampleRate: 44_100, dataBytes: samples.byteLength }));
    header.writeUInt16LE(3, 20); // float
    header.writeUInt16LE(2, 22); // stereo
    header.writeUInt32LE(44_100 * 8, 28);
    header.writeUInt16LE(8, 32);
    header.writeUInt16LE(32, 34);
    return Buffer.concat([header, new Uint8Array(samples.buffer)]);
  }

  async function chooseLong(page: Page): Promise<void> {
    // Larger than what may be handed over as bytes. A page reads a file when it needs it, so it has to stay.
    folder = await mkdtemp(join(tmpdir(), 'long-'));
    const file = join(folder, 'lecture.wav');
    await writeFile(file, await longWav());
    await page.setInputFiles('[data-file]', file);
    await page.locator('.island[data-loaded="file"]').waitFor();
  }

  test('says that a file is gone when it was moved after it was chosen', async () => {
    const page = await openPlayground(browser, 'transcribe/');
    await chooseLong(page);
    await rm(folder, { recursive: true });
    await page.getByRole('button', { name: 'Transcribe' }).click();
    await waitForState(page, 'failed');
    await page.locator('[data-problem] strong', { hasText: 'The file can no longer be read' }).waitFor();
  });

  test('cuts a recording that is too long for one call, and puts its words together', async () => {
    browser.site.sandboxUrl = browser.proxy.url;
    const page = await browser.open();
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await openPlayground(browser, 'transcribe/', page);
    const cutter = (addresses: string[]) => addresses.filter((address) => /long-recording/.test(address));
    expect(cutter(loaded), 'what cuts is not loaded before it is needed').toEqual([]);
    await chooseLong(page);
    expect(cutter(loaded)).toHaveLength(1);
    expect(await page.textContent('[data-hint]')).toMatch(
      /^It is 2\d\.\d MB, 1:\d\d long; one call takes up to 20 MB and 60 minutes\./,
    );
    expect(await page.textContent('[data-code="typescript"]')).toContain('transcribeRecording(client, audio');
    await transcribe(page);
    expect(browser.proxy.bodies.length).toBeGreaterThan(1);
    const text = (await page.textContent('[data-text]')) ?? '';
    expect(text).toContain(sentence);
    expect(text).toContain(lastSentence);
    const captions = readCaptions(await readFile(await download(page, '[data-save="vtt"]'), 'utf8'));
    expect(captions.at(-1)?.start).toBeGreaterThan(silentSeconds);
    expect(await page.isVisible('[data-progress]')).toBe(false);
    await page.locator('[data-captions] button').last().click();
    await page.waitForFunction(
      () => document.querySelector<HTMLAudioElement>('[data-audio]')?.paused === false,
    );
  });

  test('keeps the parts that are done when a long transcription is stopped', async () => {
    browser.site.sandboxUrl = browser.proxy.url;
    const page = await openPlayground(browser, 'transcribe/');
    await chooseLong(page);
    // The answer to the second part never comes.
    let asked = 0;
    await page.route('**/v1/asr', (route) => {
      asked += 1;
      return asked === 1 ? route.continue() : undefined;
    });
    await page.getByRole('button', { name: 'Transcribe' }).click();
    await expect.poll(() => page.textContent('[data-text]'), { timeout: 90_000 }).toContain(sentence);
    expect(await page.textContent('[data-status]')).toMatch(
      /^Transcribed: 1 of (at least )?\d parts?, \d:\d\d of 1:\d\d; [\d.]+ MB of [\d.]+ MB read\.$/,
    );
    expect(await page.isVisible('[data-progress]')).toBe(true);
    expect(await accessibilityProblems(page)).toEqual([]);
    await browser.picture(page, 'transcribe-long', true);
    await page.click('[data-stop]');
    await waitForState(page, 'stopped');
    expect(await page.textContent('[data-status]')).toMatch(
      /^Stopped\. What was transcribed of the first \d+ s is kept\.$/,
    );
    expect(await page.textContent('[data-text]')).toContain(sentence);
    expect(await readFile(await download(page, '[data-save="txt"]'), 'utf8')).toContain(sentence);
  });

  test('says what it cannot take when it is chosen', async () => {
    const page = await openPlayground(browser, 'transcribe/');
    const title = page.locator('[data-problem] strong');
    const choose = async (name: string, content: Buffer) => {
      await writeFile(join(folder, name), content);
      await page.setInputFiles('[data-file]', join(folder, name));
    };
    folder = await mkdtemp(join(tmpdir(), 'refused-'));
    const aiff = Buffer.alloc(21_000_000);
    aiff.write('FORM');
    await choose('band.aiff', aiff);
    await title.filter({ hasText: '21.0 MB is too large for one call' }).waitFor();
    expect(await page.textContent('[data-problem]')).toContain('ffmpeg -i IN');
    // Too large for one call by a box that nobody reads, and given up after half a minute while the page goes on.
    const rest = Buffer.alloc(21_000_000);
    rest.writeUInt32BE(rest.length);
    rest.write('free', 4);
    await choose('endless.m4a', Buffer.concat([spinning, rest]));
    await page.click('[data-tab="curl"]');
    expect(await page.isVisible('#evidence-curl')).toBe(true);
    await expect
      .poll(() => page.textContent('[data-problem]'), { timeout: 60_000 })
      .toMatch(/this mp4 file.*ffmpeg/);
    await choose('nothing.wav', Buffer.alloc(0));
    await title.filter({ hasText: 'This file is empty' }).waitFor();
    const wav = Buffer.from(await sayAsWav(browser.sandbox.url, sentence)).subarray(0, 44 + 44_100);
    await choose('click.wav', wav);
    await title.filter({ hasText: 'This recording is too short' }).waitFor();
    expect(await page.textContent('[data-problem]')).toContain('click.wav is 0.50 s long');
    // A recording that can be transcribed removes the complaint.
    await chooseSpoken(page);
    expect(await page.isVisible('[data-problem]')).toBe(false);
  });

  test('records from the microphone, and transcribes what was said', async () => {
    const page = await openPlayground(browser, 'transcribe/');
    const record = page.getByRole('button', { name: 'Record', exact: true });
    await record.click();
    await waitForState(page, 'recording');
    await page.waitForFunction(
      (least) => Number.parseFloat(document.querySelector('[data-clock]')?.textContent ?? '') >= least,
      recordedSeconds,
    );
    await page.getByRole('button', { name: 'Stop recording' }).click();
    await page.locator('.island[data-loaded="microphone"]').waitFor();
    await transcribe(page);
    const text = (await page.textContent('[data-text]')) ?? '';
    const said = saidAtMicrophone.replace(/[.,?]/g, '').split(' ');
    const heard = said.filter((word) => text.includes(word));
    expect(heard.length, `of ${said.length} words, in “${text}”`).toBeGreaterThan(said.length / 2);
    expect(await page.locator('[data-code="typescript"]').textContent()).toContain('getUserMedia');
  });

  test('sends what is recorded once, however often Transcribe is pressed to end the recording', async () => {
    const page = await browser.open();
    // A recorder that takes its time to end.
    await page.addInitScript(() => {
      const { stop } = MediaRecorder.prototype;
      MediaRecorder.prototype.stop = function () {
        setTimeout(() => stop.call(this), 500);
      };
    });
    await openPlayground(browser, 'transcribe/', page);
    await chooseSpoken(page);
    const sent: string[] = [];
    // None of them is answered.
    await page.route('**/v1/asr', (route) => {
      sent.push(/filename="(.*?)"/.exec(route.request().postData() ?? '')?.[1] ?? '');
    });
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await waitForState(page, 'recording');
    await page.waitForFunction(
      () => Number.parseFloat(document.querySelector('[data-clock]')?.textContent ?? '') >= 1.5,
    );
    await page.getByRole('button', { name: 'Transcribe' }).evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await expect.poll(() => sent).toContain('recording.webm');
    expect(sent).toEqual(['recording.webm']);
  });

  test('says how to allow a microphone that is refused', async () => {
    const page = await browser.open();
    await page.addInitScript(() => {
      navigator.mediaDevices.getUserMedia = () =>
        Promise.reject(new DOMException('Permission denied', 'NotAllowedError'));
    });
    await openPlayground(browser, 'transcribe/', page);
    const record = page.getByRole('button', { name: 'Record', exact: true });
    await record.click();
    expect(await page.locator('[data-problem] strong').textContent()).toBe('The microphone is not allowed');
    expect(await record.isEnabled()).toBe(true);
  });
});
