import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient();

const { balance, total, finished_at } = await client.wallet.getPackage();
console.log(`${balance} of ${total} left until ${finished_at}`);
