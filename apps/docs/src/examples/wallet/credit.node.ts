import { compareCredit, createSpeechClient } from '@speech-api/client';

const { wallet } = createSpeechClient();

const { credit } = await wallet.getApiCredit();
console.log(credit); // a decimal number in a string
if (compareCredit(credit, '0.50') < 0) console.log('time to top up');

const { type, balance, total } = await wallet.getPackage();
console.log(`${balance} of ${total} left in the package ${type}`);
