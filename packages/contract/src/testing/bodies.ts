/** Bodies as a good service answers them. */
export function voiceModel(changes: object = {}) {
  return {
    _id: 'v1',
    type: 'tts',
    title: 'Harbour',
    state: 'trained',
    tags: ['calm'],
    created_at: '2026-01-01T10:00:00Z',
    updated_at: '2026-01-02T10:00:00Z',
    visibility: 'private',
    like_count: 0,
    mark_count: 0,
    shared_count: 0,
    task_count: 3,
    author: { _id: 'u1', nickname: 'harbour', avatar: 'a.png' },
    description: 'Low and slow.',
    languages: ['en'],
    ...changes,
  };
}

export function page(ids: readonly string[], changes: object = {}) {
  return { total: ids.length, has_more: false, items: ids.map((_id) => voiceModel({ _id })), ...changes };
}

export function credit(changes: object = {}) {
  return {
    _id: 'c1',
    user_id: 'u1',
    credit: '12.50',
    created_at: '2026-01-01T10:00:00Z',
    updated_at: '2026-01-02T10:00:00Z',
    has_phone_sha256: false,
    has_free_credit: true,
    ...changes,
  };
}

export function wholePackage(changes: object = {}) {
  return {
    user_id: 'u1',
    type: 'monthly',
    total: 100,
    balance: 40,
    created_at: '2026-01-01T10:00:00Z',
    updated_at: '2026-01-02T10:00:00Z',
    finished_at: '2026-02-01T10:00:00Z',
    ...changes,
  };
}

export function transcription(changes: object = {}) {
  return { text: 'The tide comes in.', duration: 2, segments: [], ...changes };
}

export function generalError(status: number, changes: object = {}) {
  return { status, message: 'That is not right.', ...changes };
}

export function issue(changes: object = {}) {
  return {
    loc: ['query', 'page_size'],
    type: 'greater_than_equal',
    msg: 'page_size must be at least 1',
    ctx: '{}',
    in: 'query',
    ...changes,
  };
}

/** The payload of a stream event; a chunk of one second of pcm at 8000 Hz. */
export function event(audio: Uint8Array, changes: object = {}) {
  return {
    audio_base64: Buffer.from(audio).toString('base64'),
    content: 'The tide comes in.',
    alignment: {
      audio_duration: 1,
      segments: [
        { text: 'The', start: 0, end: 0.2 },
        { text: 'tide', start: 0.2, end: 1 },
      ],
    },
    chunk_seq: 0,
    chunk_audio_offset_sec: 0,
    ...changes,
  };
}
