// # A proxy for this client alone
// The fetch of undici, with an agent of the same package; other requests of the program are not touched.
import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import { createSpeechClient, type Fetch } from '@speech-api/client';
import { fetch, ProxyAgent } from 'undici';

const authority = await readFile(process.env.COMPANY_CA ?? 'ca.pem', 'utf8');
const dispatcher = new ProxyAgent({
  uri: process.env.COMPANY_PROXY ?? 'http://proxy:3128',
  // A list replaces the authorities that Node knows, so these are in it, too.
  requestTls: { ca: [...rootCertificates, authority] },
});

// An agent works with the fetch of its own package, whichever undici Node has built in.
const throughProxy: Fetch = (address, init) => fetch(address, { ...init, dispatcher });

const client = createSpeechClient({ fetch: throughProxy });
const audio = await client.speech.create({ text: 'Through the proxy.', format: 'mp3' });
console.log(`${(await audio.bytes()).length} bytes`);
await dispatcher.close();
