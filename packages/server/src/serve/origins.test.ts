import { expect, test } from 'vitest';
import { OriginPolicy } from './origins.ts';

const policy = new OriginPolicy({
  host: '127.0.0.1',
  allowOrigin: ['https://staging.example.com/ignored'],
});

test('answers to loopback names, to allowed ones and to the address it is bound to, and to no others', () => {
  const own = ['127.0.0.1:4010', 'localhost:4010', 'LOCALHOST', 'docs.localhost', '[::1]:4010', '127.1.2.3'];
  for (const host of [...own, 'staging.example.com']) expect(() => policy.checkHost(host)).not.toThrow();
  const foreign = [undefined, '', 'evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'a b'];
  for (const host of [...foreign, '0.0.0.0:4010', '[::2]']) {
    expect(() => policy.checkHost(host), host).toThrow('not one of this server');
  }
  const wide = new OriginPolicy({ host: '192.168.1.5' });
  expect(() => wide.checkHost('192.168.1.5:4010')).not.toThrow();
  expect(() => wide.checkHost('192.168.1.6:4010')).toThrow('192.168.1.6');
});

test('lets loopback and allowed origins in, keeps others out and gives them no headers', () => {
  const own = [undefined, 'http://localhost:4000', 'http://127.0.0.1:4000', 'https://[::1]'];
  for (const origin of [...own, 'https://staging.example.com']) {
    expect(() => policy.checkOrigin(origin)).not.toThrow();
  }
  const foreign = ['null', '', 'https://evil.example', 'http://localhost.evil.example', 'file://'];
  const near = ['http://staging.example.com', 'https://staging.example.com:8443', 'chrome-extension://abc'];
  for (const origin of [...foreign, ...near]) {
    expect(() => policy.checkOrigin(origin), origin).toThrow('may not call');
    expect(policy.headersFor(origin)).toEqual({ vary: 'origin' });
  }
});

test('answers a preflight with every method and header of the spec', () => {
  const headers = policy.preflightHeaders('http://localhost:4000');
  expect(headers).toMatchObject({ 'access-control-allow-origin': 'http://localhost:4000' });
  for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
    expect(headers['access-control-allow-methods']).toContain(method);
  }
  for (const name of ['authorization', 'content-type', 'model', 'traceparent']) {
    expect(headers['access-control-allow-headers']).toContain(name);
  }
});
