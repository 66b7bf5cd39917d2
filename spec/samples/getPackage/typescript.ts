import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient();

const { balance, total } = await client.wallet.getPackage();
console.log(`${balance} of ${total} left`);
