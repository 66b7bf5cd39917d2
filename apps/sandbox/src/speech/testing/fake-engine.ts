// An engine that speaks the protocol and misbehaves on demand: the text says how.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const write = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`);

if (process.argv[2] === 'fails-to-start') process.exit(1);
if (process.argv[2] === 'starts-slowly') await sleep(2000);
write({ type: 'ready', protocol: process.argv[2] === 'another-protocol' ? 99 : 1, sample_rate: 22050 });

for await (const line of createInterface({ input: process.stdin })) {
  const { id, text } = JSON.parse(line);
  if (text.includes('crash')) process.exit(3);
  if (text.includes('hang')) await sleep(60_000);
  if (text.includes('refuse')) {
    write({ type: 'error', id, message: 'no such voice' });
    continue;
  }
  if (text.includes('garbage')) process.stdout.write('this is not JSON\n');
  write({ type: 'events', id, events: [{ event: 'word', time: 0, position: 0, length: text.length }] });
  const pieces = Number(/(\d+) pieces/.exec(text)?.[1] ?? 5);
  for (let piece = 0; piece < pieces; piece += 1) {
    write({ type: 'audio', id, bytes: 4410 });
    // Like the real engine, it waits while nobody reads what it says.
    if (!process.stdout.write(Buffer.alloc(4410, piece))) await once(process.stdout, 'drain');
    if (text.includes('stall') && piece === 1) await sleep(60_000);
    if (text.includes('slow')) await sleep(20);
  }
  write({ type: 'done', id, samples: pieces * 2205 });
}
