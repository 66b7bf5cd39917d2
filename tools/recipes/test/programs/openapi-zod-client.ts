import { readFile } from 'node:fs/promises';
import { createApiClient, schemas } from '../openapi-zod-client/client.js';

const client = createApiClient(process.env.SPEECH_BASE_URL ?? '', {
  axiosConfig: { headers: { authorization: `Bearer ${process.env.SPEECH_API_KEY}` } },
});

const { items } = await client.listModels({ queries: { title: 'Alba', page_size: 1 } });
const credit = await client.getApiCredit({ params: { user_id: 'self' } });
const audio = new File([new Uint8Array(await readFile('sample.wav'))], 'sample.wav');
const transcription = await client.createTranscription({ audio });
const refused = await client.updateModel({ title: 'Harbour' }, { params: { id: 'no-such-voice' } }).then(
  () => 200,
  (error: { response?: { status: number } }) => error.response?.status,
);

const model = schemas.VoiceModel.parse({ ...items[0], state: 'resting', visibility: 'by-invitation' });
console.log(
  JSON.stringify({
    titles: items.map(({ title }) => title),
    credit: Number(credit.credit) > 0,
    transcription: transcription.text,
    unknown: refused,
    state: model.state,
    visibility: model.visibility,
  }),
);
