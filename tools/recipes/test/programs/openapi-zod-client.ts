import { schemas } from '../openapi-zod-client/client.js';

const response = await fetch(`${process.env.SPEECH_BASE_URL}/model?page_size=1`, {
  headers: { authorization: `Bearer ${process.env.SPEECH_API_KEY}` },
});
const { items } = schemas.VoiceModelList.parse(await response.json());

const model = schemas.VoiceModel.parse({ ...items[0], state: 'resting', visibility: 'by-invitation' });
console.log(JSON.stringify({ state: model.state, visibility: model.visibility }));
