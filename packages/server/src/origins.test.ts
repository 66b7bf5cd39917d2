import { expect, test } from 'vitest';
import { OriginPolicy } from './origins.ts';

const policy = new OriginPolicy({
  host: '127.0.0.1',
  allowOrigin: ['https://staging.example.com/ignored', 'tauri://my.app', 'moz-extension://0c4d-5e'],
});

test('on loopback, answers to loopback names and allowed ones, and to no others', () => {
  const ours = ['127.0.0.1:4010', 'localhost:4010', 'LOCALHOST', 'docs.localhost', '[::1]:4010', '127.1.2.3'];
  for (const host of [...ours, 'staging.example.com']) expect(() => policy.checkHost(host)).not.toThrow();
  const foreign = [undefined, '', 'evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'a b'];
  for (const host of [...foreign, '0.0.0.0:4010', '[::2]', 'my.app']) {
    expect(() => policy.checkHost(host), host).toThrow('not one of this server');
  }
});

test.each(['0.0.0.0', '::', '192.168.1.5'])('on %s, answers to any name', (host) => {
  const open = new OriginPolicy({ host });
  for (const name of ['speech-mock:4020', '10.0.0.7', 'mock.example.com']) {
    expect(() => open.checkHost(name)).not.toThrow();
  }
  expect(() => open.checkOrigin('https://evil.example')).toThrow('may not call');
});

test.each(['127.0.0.1', 'localhost', '::1'])('takes %s for loopback', (host) => {
  expect(() => new OriginPolicy({ host }).checkHost('evil.example')).toThrow('not one of this server');
});

test('lets loopback and allowed origins in, keeps others out and gives them no headers', () => {
  const origins = [undefined, 'http://localhost:4000', 'http://127.0.0.1:4000', 'https://[::1]'];
  const shells = ['tauri://my.app', 'moz-extension://0c4d-5e'];
  for (const origin of [...origins, ...shells, 'https://staging.example.com']) {
    expect(() => policy.checkOrigin(origin)).not.toThrow();
  }
  const foreign = ['null', '', 'https://evil.example', 'http://localhost.evil.example', 'file://'];
  const near = ['http://staging.example.com', 'https://staging.example.com:8443', 'chrome-extension://abc'];
  for (const origin of [...foreign, ...near]) {
    expect(() => policy.checkOrigin(origin), origin).toThrow('may not call');
    expect(policy.headersFor(origin)).toEqual({ vary: 'origin' });
  }
});

test('advises only origins that it takes', () => {
  expect(() => policy.checkOrigin('ionic://localhost')).toThrow('--allow-origin ionic://localhost');
  expect(() => policy.checkOrigin('null')).toThrow('serve them from http://localhost.');
  for (const origin of ['null', 'file:///index.html', 'data:text/html,a']) {
    expect(() => new OriginPolicy({ host: '', allowOrigin: [origin] })).toThrow(`the origin ${origin}; use`);
  }
});

test('answers a preflight with every method of the spec, and the headers that the page wants to send', () => {
  const requestedHeaders =
    'authorization, content-type, model, traceparent, tracestate, baggage, sentry-trace';
  const headers = policy.preflightHeaders(requestedHeaders);
  for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
    expect(headers['access-control-allow-methods']).toContain(method);
  }
  expect(headers['access-control-allow-headers']).toBe(requestedHeaders);
});
