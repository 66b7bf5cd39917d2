import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeWav } from './make-wav.ts';

/**
 * The data folder of version 1, as that version wrote it. It is spelled out here and never made by the program, so that
 * a change of the program cannot change what an old folder looks like.
 */
export async function writeOldestData(folder: string): Promise<void> {
  await mkdir(join(folder, 'files'), { recursive: true });
  await writeFile(join(folder, 'files', 'fedcba9876543210fedcba9876543210.wav'), makeWav(200));
  const database = new DatabaseSync(join(folder, 'sandbox.db'));
  database.exec(oldestSchema);
  database
    .prepare('INSERT INTO voice_models VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    .run(
      document.model._id,
      document.model.author._id,
      document.model.visibility,
      'made by the oldest version',
      'en',
      '["old"]',
      '["en"]',
      0,
      3,
      Date.parse(document.model.created_at),
      JSON.stringify(document),
    );
  database.exec("INSERT INTO seeded_models VALUES ('sandbox-draft'); PRAGMA user_version = 1;");
  database.close();
}

const oldestSchema = `
  CREATE TABLE voice_models (
    id TEXT PRIMARY KEY,
    author_id TEXT NOT NULL,
    visibility TEXT NOT NULL,
    title_folded TEXT NOT NULL,
    title_language TEXT NOT NULL,
    tags TEXT NOT NULL,
    languages TEXT NOT NULL,
    score INTEGER NOT NULL,
    task_count INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    document TEXT NOT NULL
  ) STRICT;
  CREATE INDEX voice_models_by_author ON voice_models (author_id);
  CREATE TABLE seeded_models (id TEXT PRIMARY KEY) STRICT;
`;

const document = {
  model: {
    _id: '0123456789abcdef0123456789abcdef',
    type: 'tts',
    title: 'Made by the oldest version',
    state: 'trained',
    tags: ['old'],
    created_at: '2026-11-20T10:00:00.000Z',
    updated_at: '2026-11-20T10:00:00.000Z',
    visibility: 'private',
    like_count: 0,
    mark_count: 0,
    shared_count: 0,
    task_count: 3,
    author: { _id: 'sandbox-user', nickname: 'Sandbox developer', avatar: '' },
    description: '',
    cover_image: '',
    train_mode: 'full',
    samples: [],
    languages: ['en'],
    lock_visibility: false,
    dmca_taken_down: false,
    default_text: 'One.',
    source: 'upload',
    quality: null,
    unliked: false,
    liked: false,
    marked: false,
  },
  title_language: 'en',
  clips: [
    {
      title: 'harbour.wav',
      text: 'One.',
      task_id: '00112233445566778899aabbccddeeff',
      file: 'fedcba9876543210fedcba9876543210.wav',
      facts: {},
    },
  ],
  training: { starts_at: 1_795_168_801_250, ends_at: 1_795_168_805_000, outcome: 'trained' },
};
