import { createSpeechClient, type Logger } from '@speech-api/client';

const logger: Logger = {
  debug: (message, { operationId, status }) =>
    console.log(message, operationId, status ?? ''),
  warn: (message, { operationId, status, error }) =>
    console.log(message, operationId, error ?? status),
};
const client = createSpeechClient({ logger });
await client.models.list({ page_size: 1 });
await client.models.get('no-such-voice').catch(() => undefined);
