import { encode } from '@msgpack/msgpack';
import { requestFields } from '@speech-api/types';
import type { Choices } from './choices.ts';
import { oddValue, spoil, spoilBytes } from './values.ts';

const fields = requestFields.SynthesisRequest;

/** Bytes that are nearly a request, to be written on a connection as they are. */
export function oddHttp(choices: Choices): Buffer {
  const lines = [
    `${choices.of(['POST', 'GET', 'FOO', 'PRI', ''])} ${choices.of(['/v1/tts', '*', 'http://a/', '/\u0001', ''])} HTTP/${choices.of(['1.1', '1.0', '9.9', '2.0'])}`,
    `Host: ${choices.of(['127.0.0.1', 'evil.example', '', 'a, b'])}`,
    'Authorization: Bearer sandbox-key',
    'Model: s2-pro',
    `Content-Type: ${choices.of(['application/json', 'application/msgpack', 'multipart/form-data'])}`,
    choices.of([
      'Content-Length: 12',
      'Content-Length: 5\r\nContent-Length: 6',
      'Content-Length: -1',
      'Transfer-Encoding: chunked',
    ]),
    ...(choices.chance(0.3) ? [`X-Odd: ${choices.bytes(20).toString('latin1')}`] : []),
    ...(choices.chance(0.1) ? [`X-Long: ${'x'.repeat(20_000)}`] : []),
  ];
  const body = choices.of(['{"text":"a"}', '5\r\n{"tex\r\n0\r\n\r\n', 'FFFFFFFFFFFFFFFFF\r\n', '']);
  const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1');
  return choices.chance(0.5) ? bytes : spoilBytes(bytes, choices);
}

/** An upgrade to a live session that is accepted, and frames that need not be. */
export function oddSession(choices: Choices): Buffer {
  const upgrade = [
    'GET /v1/tts/live HTTP/1.1',
    'Host: 127.0.0.1',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Authorization: Bearer sandbox-key',
    'Model: s2-pro',
  ];
  const frames = Array.from({ length: choices.below(8) }, () => oddFrame(choices));
  return Buffer.concat([Buffer.from(`${upgrade.join('\r\n')}\r\n\r\n`), ...frames]);
}

function oddFrame(choices: Choices): Buffer {
  const opcode = choices.chance(0.8) ? 2 : choices.below(16);
  const first = (choices.chance(0.9) ? 0x80 : 0) | (choices.chance(0.05) ? 0x40 : 0) | opcode;
  const payload = choices.chance(0.8) ? oddMessage(choices) : choices.bytes(choices.below(200));
  const masked = choices.chance(0.95);
  const mask = choices.bytes(4);
  const head = [
    first,
    ...lengthOf(choices.chance(0.95) ? payload.length : choices.of([0, 2 ** 30, 2 ** 31]), masked),
  ];
  const body = masked ? payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)) : payload;
  return Buffer.concat([Buffer.from(head), masked ? mask : Buffer.alloc(0), body]);
}

function lengthOf(length: number, masked: boolean): number[] {
  const flag = masked ? 0x80 : 0;
  if (length < 126) return [flag | length];
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(length));
  return length < 65_536 ? [flag | 126, ...bytes.subarray(6)] : [flag | 127, ...bytes];
}

function oddMessage(choices: Choices): Buffer {
  const good = choices.of<Record<string, unknown>>([
    { event: 'start', request: spoil({ text: '', format: 'wav' }, choices, fields) },
    { event: 'text', text: 'Hello there. ' },
    { event: 'flush' },
    { event: 'stop' },
    { event: choices.of(['start', 'text', 'finish', '', 'constructor']), text: oddValue(choices) },
  ]);
  const bytes = Buffer.from(encode(good, { maxDepth: 1000 }));
  return choices.chance(0.85) ? bytes : spoilBytes(bytes, choices);
}
