import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient();

// A decimal number in a string: a float would round it.
const { credit } = await client.wallet.getApiCredit();
console.log(credit);
