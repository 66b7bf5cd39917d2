import { createSpeechClient } from '@speech-api/client';
import createClient from 'openapi-fetch';
import { withServer } from './src/measure/with-server.ts';
const apiKey = 'k';
const H = { authorization: `Bearer ${apiKey}`, model: 's2-pro', 'content-type': 'application/json' };
const body = { text: 'A sentence that somebody wants to hear.', format: 'pcm' } as const;
const N = Number(process.env.N ?? 300), R = Number(process.env.R ?? 12);
await withServer(async (baseUrl) => {
  const client = createSpeechClient({ baseUrl, apiKey });
  const peer = createClient<any>({ baseUrl, headers: H }) as any;
  const all: Record<string, () => Promise<unknown>> = {
    raw: async () => (await fetch(`${baseUrl}/v1/tts`, { method: 'POST', headers: H, body: JSON.stringify(body) })).arrayBuffer(),
    peer: () => peer.POST('/v1/tts', { body, parseAs: 'arrayBuffer' }),
    ours: async () => (await client.speech.create(body)).bytes(),
    ourget: () => client.models.get('voice'),
    peerget: () => peer.GET('/model/{id}', { params: { path: { id: 'voice' } } }),
  };
  const only = process.env.ONLY?.split(',') ?? Object.keys(all);
  const cpu: Record<string, number[]> = {}, wall: Record<string, number[]> = {};
  for (let r = 0; r <= R; r++) for (const name of r % 2 ? only : only.toReversed()) {
    
    const c = process.cpuUsage(), t = performance.now();
    for (let i = 0; i < N; i++) await all[name]!();
    const d = process.cpuUsage(c);
    if (r) { (cpu[name] ??= []).push((d.user + d.system) / N); (wall[name] ??= []).push((performance.now() - t) * 1000 / N); }
  }
  const q = (a: number[], f: number) => a.toSorted((x, y) => x - y)[Math.floor(a.length * f)]!.toFixed(0);
  for (const n of only) console.log(n.padEnd(8), 'cpu min', q(cpu[n]!, 0), 'p25', q(cpu[n]!, 0.25), 'p50', q(cpu[n]!, 0.5), 'wall min', q(wall[n]!, 0), 'p25', q(wall[n]!, 0.25));
});
