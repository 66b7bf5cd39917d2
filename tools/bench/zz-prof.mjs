import { createSpeechClient } from '@speech-api/client';
import createClient from 'openapi-fetch';
import { Session } from 'node:inspector/promises';
import { startServer } from './src/processes.ts';
const server = await startServer('bare');
const client = createSpeechClient({ baseUrl: server.url, apiKey: 'bench-key' });
const peer = createClient({ baseUrl: server.url, headers: { authorization: 'Bearer bench-key', model: 's2-pro' } });
const synthesis = { text: 'A sentence that somebody wants to hear.', format: 'pcm' };
const pause = { 'x-bench-pause': 'yes' };
const first = async (it) => { for await (const _ of it) break; };
const ways = {
  'GET ours': () => client.models.get('voice'),
  'GET peer': () => peer.GET('/model/{id}', { params: { path: { id: 'voice' } } }),
  'POST ours': async () => (await client.speech.create(synthesis)).bytes(),
  'POST peer': () => peer.POST('/v1/tts', { body: synthesis, parseAs: 'arrayBuffer' }),
};
for (const [name, call] of Object.entries(ways)) {
  for (let i = 0; i < 500; i++) await call();
  const s = new Session(); s.connect();
  await s.post('Profiler.enable'); await s.post('Profiler.setSamplingInterval', { interval: 200 }); await s.post('Profiler.start');
  const c0 = process.cpuUsage(); const n = 3000;
  for (let i = 0; i < n; i++) await call();
  const c = process.cpuUsage(c0); const { profile } = await s.post('Profiler.stop');
  const self = new Map(); const dt = profile.timeDeltas; const byId = new Map(profile.nodes.map((x) => [x.id, x]));
  profile.samples.forEach((id, i) => { const f = byId.get(id).callFrame; 
    const u = f.url; const where = f.functionName === '(garbage collector)' ? 'GC' : f.functionName === '(idle)' ? 'idle' : f.functionName === '(program)' ? 'program' : /client\/dist/.test(u) ? 'client' : /openapi-fetch/.test(u) ? 'openapi-fetch' : /undici|fetch/.test(u) ? 'undici' : /node:/.test(u) ? 'node ' + (/(webstreams|net|http|stream|abort|timers|process)/.exec(u)?.[0] ?? 'other') : u === '' ? 'native' : 'other';
    self.set(where, (self.get(where) ?? 0) + dt[i]);
    if (where === 'client') { const k = '   ' + f.functionName + ':' + f.lineNumber; self.set(k, (self.get(k) ?? 0) + dt[i]); } });
  console.log(name, 'cpu us/call', ((c.user + c.system) / n).toFixed(0));
  for (const [k, v] of [...self].sort((a, b) => b[1] - a[1]).slice(0, 24)) if (v / n > 0.6) console.log('   ', k, (v / n).toFixed(1));
}
await server[Symbol.asyncDispose]();
