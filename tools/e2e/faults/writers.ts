import { writeWavHeader } from '@speech-api/audio';
import { type Acknowledged, type KnownModel, newTitle } from './acknowledged.ts';

const headers = { authorization: 'Bearer sandbox-key' };
const text = 'Hi.';
/** Millionths a byte, in the seed data. */
const pricePerByte = 15n;
/** A writer with so many models removes some. */
const mostModels = 50;

/** A writer works on models of its own, so that the order of its changes is known. */
export interface Writer {
  readonly url: string;
  readonly random: () => number;
  readonly known: Acknowledged;
  readonly own: string[];
  readonly touched: Set<string>;
  readonly onAcknowledged: () => void;
  /** A status above 500 is no error, as on a full disk; then nothing may have changed. */
  readonly mayBeRefused?: boolean;
}

/** Writes until the server is gone, and keeps account of what was acknowledged. */
export async function writeUntilKilled(writer: Writer): Promise<void> {
  for (;;) {
    try {
      await writeOnce(writer);
    } catch (error) {
      if (isBroken(error)) return;
      throw error;
    }
    writer.onAcknowledged();
  }
}

/** Writes while it may, where writes may be refused and answers cut; then its models are left alone, as one is in doubt. */
export async function writeWhile(mayWrite: () => boolean, writer: Writer): Promise<void> {
  while (mayWrite()) {
    try {
      await writeOnce(writer);
      writer.onAcknowledged();
    } catch (error) {
      if (!isBroken(error)) throw error;
      writer.own.splice(0);
    }
  }
}

/** fetch says no more than this of a connection that broke. */
const isBroken = (error: unknown): boolean => error instanceof TypeError;

async function writeOnce(writer: Writer): Promise<void> {
  const { own, random, known } = writer;
  const id = own[Math.floor(random() * own.length)];
  const model = id === undefined ? undefined : known.models.get(id);
  const choice = random();
  const isEnough = own.length >= mostModels;
  if (id === undefined || model === undefined || (choice < 0.35 && !isEnough)) return create(writer);
  writer.touched.add(id);
  if (choice < 0.6 && !isEnough) return rename(writer, id, model);
  if (choice < 0.8) return remove(writer, id, model);
  return speak(writer, id, model);
}

async function create(writer: Writer): Promise<void> {
  const { random, known, own, touched } = writer;
  const title = newTitle();
  const clip = makeClip(random);
  const form = new FormData();
  form.append('type', 'tts');
  form.append('title', title);
  form.append('train_mode', 'fast');
  form.append('visibility', 'private');
  form.append('voices', new Blob([clip]), 'voice.wav');
  known.doubtfulModels.set(title, clip);
  const answer = await send(writer, '/model', 'POST', 201, form);
  const { _id: id } = (await answer.json()) as { _id?: string };
  known.doubtfulModels.delete(title);
  if (id === undefined) return;
  known.models.set(id, { title, clip, uses: 0, doubtfulUses: 0 });
  own.push(id);
  touched.add(id);
}

async function rename(writer: Writer, id: string, model: KnownModel): Promise<void> {
  const title = newTitle();
  model.doubtfulTitle = title;
  const answer = await send(writer, `/model/${id}`, 'PATCH', 200, new URLSearchParams({ title }));
  await answer.text();
  if (answer.ok) model.title = title;
  delete model.doubtfulTitle;
}

async function remove(writer: Writer, id: string, model: KnownModel): Promise<void> {
  const { known, own } = writer;
  model.doubtfullyDeleted = true;
  const answer = await send(writer, `/model/${id}`, 'DELETE', 200);
  await answer.text();
  model.doubtfullyDeleted = false;
  if (!answer.ok) return;
  known.models.delete(id);
  known.deleted.add(id);
  own.splice(own.indexOf(id), 1);
}

async function speak({ url, known }: Writer, id: string, model: KnownModel): Promise<void> {
  const price = pricePerByte * BigInt(text.length);
  known.doubtfulCharges += price;
  model.doubtfulUses += 1;
  const body = JSON.stringify({ text, reference_id: id, format: 'pcm', sample_rate: 8000 });
  const extra = { model: 's2-pro', 'content-type': 'application/json' };
  const response = await fetch(`${url}/v1/tts`, { method: 'POST', headers: { ...headers, ...extra }, body });
  await response.bytes();
  known.doubtfulCharges -= price;
  model.doubtfulUses -= 1;
  // On a machine with no time left the engine may fail; then nothing is charged, and that is acknowledged too.
  if (response.status >= 500) return;
  if (response.status !== 200) throw new Error(`POST /v1/tts answered ${response.status}`);
  known.credit -= price;
  model.uses += 1;
}

async function send(
  { url, mayBeRefused = false }: Writer,
  path: string,
  method: string,
  status: number,
  body?: FormData | URLSearchParams,
): Promise<Response> {
  const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
  const isRefused = mayBeRefused && response.status >= 500;
  if (response.status !== status && !isRefused) {
    throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  }
  return response;
}

/** Up to 100 kB that start as a wav file does, so that a cut one is noticed. */
function makeClip(random: () => number): Uint8Array<ArrayBuffer> {
  const dataBytes = 2 * Math.floor(100 + random() * 50_000);
  const header = writeWavHeader({ sampleRate: 16_000, dataBytes });
  const clip = new Uint8Array(header.length + dataBytes);
  for (let index = header.length; index < clip.length; index += 1) clip[index] = Math.floor(random() * 256);
  clip.set(header);
  return clip;
}
