import { ApiError, createSpeechClient } from '@speech-api/client';
import { startMock } from '@speech-api/mock';

const mock = await startMock({ faults: ['GET /model status=503 times=1'] });
const client = createSpeechClient({ baseUrl: mock.url, apiKey: 'any-key' });

// Any documented answer, by its status.
const headers = { prefer: 'code=404' };
const missing = client.models.get('any-id', { headers });
await missing.catch((error: unknown) => {
  if (ApiError.isInstance(error)) console.log(error.name);
});

// A failure that passes: the client tries again.
const { items } = await client.models.list();
console.log(
  `${mock.calls.length} calls, ${items.length > 0 ? 'a list' : 'nothing'}`,
);
await mock.close();
