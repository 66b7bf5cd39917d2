import { expect, test } from 'vitest';
import { createOriginPolicy } from './origins.ts';

const policy = createOriginPolicy({
  host: '127.0.0.1',
  allowOrigin: ['https://staging.example.com/ignored'],
});

test.each([
  '127.0.0.1:4010',
  'localhost:4010',
  'LOCALHOST',
  'docs.localhost',
  '[::1]:4010',
  '127.1.2.3',
  'staging.example.com',
])('answers to the name %s', (host) => {
  expect(() => policy.checkHost(host)).not.toThrow();
});

test.each([
  undefined,
  '',
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '0.0.0.0:4010',
  '[::2]',
  'a b',
])('does not answer to the name %s', (host) => {
  expect(() => policy.checkHost(host)).toThrow('not one of this server');
});

test.each([
  undefined,
  'http://localhost:4000',
  'http://127.0.0.1:4000',
  'https://[::1]',
  'https://staging.example.com',
])('lets the origin %s in', (origin) => {
  expect(() => policy.checkOrigin(origin)).not.toThrow();
});

test.each([
  'null',
  '',
  'https://evil.example',
  'http://localhost.evil.example',
  'file://',
  'http://staging.example.com',
  'https://staging.example.com:8443',
  'chrome-extension://abc',
])('keeps the origin %s out and gives it no headers', (origin) => {
  expect(() => policy.checkOrigin(origin)).toThrow('may not call');
  expect(policy.headersFor(origin)).toEqual({ vary: 'origin' });
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

test('answers to the address it is bound to', () => {
  const wide = createOriginPolicy({ host: '192.168.1.5' });
  expect(() => wide.checkHost('192.168.1.5:4010')).not.toThrow();
  expect(() => wide.checkHost('192.168.1.6:4010')).toThrow('192.168.1.6');
});
