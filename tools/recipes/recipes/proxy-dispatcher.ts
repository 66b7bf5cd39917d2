// # A proxy for this client alone
// In Node a dispatcher of undici decides how a request travels; other requests of the program are not touched.
import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import { createSpeechClient } from '@speech-api/client';
import { ProxyAgent } from 'undici';

const authority = await readFile(process.env.COMPANY_CA ?? 'ca.pem', 'utf8');
const dispatcher = new ProxyAgent({
  uri: process.env.COMPANY_PROXY ?? 'http://proxy:3128',
  // A list replaces the authorities that Node knows, so these are in it, too.
  requestTls: { ca: [...rootCertificates, authority] },
});

// `dispatcher` is an option of Node's own fetch. The package undici has to be of the same major version as
// `process.versions.undici`: 6 for Node 20 and 22, 7 for Node 24.
const throughProxy: typeof fetch = (input, init) => fetch(input, Object.assign({ ...init }, { dispatcher }));

const client = createSpeechClient({ fetch: throughProxy });
const audio = await client.speech.create({ text: 'Through the proxy.', format: 'mp3' });
console.log(`${(await audio.bytes()).length} bytes`);
await dispatcher.close();
