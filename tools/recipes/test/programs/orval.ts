import { createSpeech, listModels } from '../orval/client.js';

const spoken = await createSpeech({ text: 'Good morning.', format: 'mp3' }, { headers: { model: 's2-pro' } });
if (spoken.status !== 200) throw new Error(`createSpeech answers ${spoken.status}`);
const bytes = Buffer.from(await spoken.data.arrayBuffer());

const list = await listModels({ title: 'Alba', page_size: 1 });
if (list.status !== 200) throw new Error(`listModels answers ${list.status}`);

console.log(
  JSON.stringify({
    sentence: { starts: bytes.subarray(0, 4).toString('hex'), bytes: bytes.length },
    titles: list.data.items.map(({ title }) => title),
  }),
);
