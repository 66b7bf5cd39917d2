/**
 * Voice models. What the service answers is the document; beside it stands what a list is filtered and sorted by.
 * `seeded_models` remembers which models of the seed data have been put in, so that a deleted one does not come back.
 */
export const voiceModels = `
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
