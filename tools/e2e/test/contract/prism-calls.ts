import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SpeechClient } from '@speech-api/client';
import type { OperationId } from '@speech-api/types';
import { afterAll, beforeAll } from 'vitest';
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts';
import { scratchFolder } from '../testing/speech-command.ts';
import { document } from './specification.ts';

/** A call of the client whose request the Prism command can read: a body of JSON or a form, or none. */
export interface PrismCall {
  readonly operationId: OperationId;
  /** What sets it apart from other calls of the operation. */
  readonly way: string;
  /** Does the request have a file, which `prism proxy` would turn into text? */
  readonly uploads?: true;
  /** Resolves to the JSON of the answer; undefined if the body is empty or not JSON. */
  readonly perform: (client: SpeechClient, voice: string) => Promise<unknown>;
}

/** Prism holds the whole body of a stream to its schema, which is that of one event, as generators read it. */
const text = JSON.stringify(document.root, (name, value) =>
  name === 'text/event-stream' ? { ...value, schema: { type: 'string' } } : value,
);

/** One Prism for the file that calls this. @returns its address, which is known once tests run */
export function usePrism(command: 'mock' | 'proxy', upstream: () => readonly string[] = () => []) {
  const file = join(scratchFolder(), 'openapi-3.1.json');
  writeFileSync(file, text);
  let prism: ServerProcess | undefined;
  beforeAll(async () => {
    prism = await startServerProcess('prism', [command, '--errors', file, ...upstream()]);
  });
  afterAll(() => prism?.kill('SIGTERM'));
  return () => prism?.url ?? '';
}

const forms = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'] as const;
const formats = ['mp3', 'wav', 'opus', 'pcm'] as const;
const line = 'Good morning.';

export const prismCalls: readonly PrismCall[] = [
  {
    operationId: 'listModels',
    way: 'with every filter',
    perform: async ({ models }) => {
      const tags = { tag: ['calm', 'deep'], language: ['en', 'cy'], title_language: ['en'] };
      const filters = { ...tags, title: 'At & dawn*', self: true, licensed: false, author_id: 'anna' };
      return models.list({ ...filters, page_size: 2, sort_by: 'created_at' }).page(3);
    },
  },
  {
    operationId: 'listModels',
    way: 'without filters',
    perform: async ({ models }) => models.list().page(1),
  },
  { operationId: 'getModel', way: 'by id', perform: async ({ models }, voice) => models.get(voice) },
  ...forms.map((contentType) => ({
    operationId: 'updateModel' as const,
    way: `as ${contentType}`,
    perform: async ({ models }: SpeechClient, voice: string) => {
      const changes = { title: 'Dusk & dawn', description: 'a+b=c', visibility: 'private' } as const;
      return models.update(voice, { ...changes, tags: ['low', 'slow'] }, { contentType });
    },
  })),
  { operationId: 'deleteModel', way: 'by id', perform: async ({ models }, voice) => models.delete(voice) },
  { operationId: 'getApiCredit', way: 'of the caller', perform: async ({ wallet }) => wallet.getApiCredit() },
  { operationId: 'getPackage', way: 'of the caller', perform: async ({ wallet }) => wallet.getPackage() },
  {
    operationId: 'createTranscription',
    way: 'as a form',
    uploads: true,
    perform: async ({ transcriptions }) => {
      const audio = new File([new Uint8Array(100)], 'recording.wav', { type: 'audio/wav' });
      return transcriptions.create({ audio, language: 'en', ignore_timestamps: false });
    },
  },
  ...formats.map((format) => ({
    operationId: 'createSpeech' as const,
    way: `as ${format}`,
    perform: async ({ speech }: SpeechClient) => {
      const prosody = { speed: 1.2, volume: -3, normalize_loudness: false };
      const numbers = {
        temperature: 0.5,
        top_p: 1,
        chunk_length: 100,
        max_new_tokens: 0,
        opus_bitrate: -1000,
      };
      const request = { text: line, format, prosody, latency: 'balanced', sample_rate: null, ...numbers };
      await (await speech.create(request as { text: string }, { model: 's9' })).cancel();
    },
  })),
  {
    operationId: 'createSpeech',
    way: 'as a dialogue',
    perform: async ({ speech }) => {
      const reference_id = ['sandbox-alba', 'sandbox-blake'];
      const dialogue = '<|speaker:0|>Good morning.<|speaker:1|>And to you.';
      await (await speech.create({ text: dialogue, reference_id })).cancel();
    },
  },
  {
    operationId: 'streamSpeechWithTimestamps',
    way: 'as pcm',
    perform: async ({ speech }) => {
      // Prism's example has a few bytes of audio, which are sound in no other format.
      await (await speech.streamWithTimestamps({ text: line, format: 'pcm' })).collect();
    },
  },
];
