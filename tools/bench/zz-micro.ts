import { withServer } from './src/measure/with-server.ts';
const H = { authorization: `Bearer k`, model: 's2-pro', 'content-type': 'application/json' };
const body = JSON.stringify({ text: 'A sentence that somebody wants to hear.', format: 'pcm' });
const N = 60, R = 50;
await withServer(async (baseUrl) => {
  const url = `${baseUrl}/v1/tts`;
  const drain = async (r: Response) => { const reader = r.body!.getReader(); for (;;) { const { done } = await reader.read(); if (done) return; } };
  const registry = new FinalizationRegistry(() => {});
  const all: Record<string, () => Promise<unknown>> = {
    raw: async () => (await fetch(url, { method: 'POST', headers: H, body })).arrayBuffer(),
    request: async () => (await fetch(new Request(url, { method: 'POST', headers: H, body }))).arrayBuffer(),
    init: async () => (await fetch(new Request(url, { method: 'POST', headers: H, body }), { redirect: 'manual' })).arrayBuffer(),
    initSignal: async () => (await fetch(new Request(url, { method: 'POST', headers: H, body }), { redirect: 'manual', signal: new AbortController().signal })).arrayBuffer(),
    both: async () => { const { signal } = new AbortController(); return (await fetch(new Request(url, { method: 'POST', headers: H, body, signal }), { redirect: 'manual', signal })).arrayBuffer(); },
    reader: async () => drain(await fetch(new Request(url, { method: 'POST', headers: H, body }))),
    registry: async () => { const r = await fetch(new Request(url, { method: 'POST', headers: H, body })); registry.register(r, {}, r); const a = await r.arrayBuffer(); registry.unregister(r); return a; },
    define: async () => { const r = await fetch(new Request(url, { method: 'POST', headers: H, body })); const d: any = {}; for (const n of ['arrayBuffer', 'blob', 'bytes', 'formData', 'json','text']) d[n] = { configurable: true, value: () => r }; Object.defineProperties(r, d); return drain(r); },
  };
  const cpu: Record<string, number[]> = {}, wall: Record<string, number[]> = {};
  for (let r = 0; r <= R; r++) for (const name of r % 2 ? Object.keys(all) : Object.keys(all).toReversed()) {
    const c = process.cpuUsage(), t = performance.now();
    for (let i = 0; i < N; i++) await all[name]!();
    const d = process.cpuUsage(c);
    if (r) { (cpu[name] ??= []).push((d.user + d.system) / N); (wall[name] ??= []).push((performance.now() - t) * 1000 / N); }
  }
  const q = (a: number[], f: number) => a.toSorted((x, y) => x - y)[Math.floor(a.length * f)]!.toFixed(0);
  for (const n of Object.keys(all)) console.log(n.padEnd(10), 'cpu min', q(cpu[n]!, 0), 'p25', q(cpu[n]!, 0.25), 'wall min', q(wall[n]!, 0), 'p25', q(wall[n]!, 0.25));
});
