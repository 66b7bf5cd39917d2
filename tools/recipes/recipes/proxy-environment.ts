// # Behind a proxy with a certificate authority of its own
// Node, Bun and Deno need no other program, only variables of the environment:
//
//   Node   NODE_USE_ENV_PROXY=1 HTTPS_PROXY=http://proxy:3128 NODE_EXTRA_CA_CERTS=ca.pem node program.js   (24, 22.21)
//   Bun    HTTPS_PROXY=http://proxy:3128 NODE_EXTRA_CA_CERTS=ca.pem bun program.js
//   Deno   HTTPS_PROXY=http://proxy:3128 DENO_CERT=ca.pem deno run --allow-net --allow-env program.js
//
// An older Node reads NODE_EXTRA_CA_CERTS alone; for its proxy see proxy-dispatcher.ts. NO_PROXY lists what is reached directly.
import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient();
const audio = await client.speech.create({ text: 'Through the proxy.', format: 'mp3' });
console.log(`${(await audio.bytes()).length} bytes`);
