import { expect, test } from 'vitest';
import { originOf, readBaseUrl, requirePath } from './address.ts';

test.each([
  ['', 'is empty'],
  ['   ', 'is empty'],
  ['api.example.com', 'not a whole address'],
  ['localhost:4010', 'not a whole address'],
  ['127.0.0.1:4010', 'not a whole address'],
  ['/v1', 'not a whole address'],
  ['//api.example.com', 'not a whole address'],
  ['https:api.example.com', 'not a whole address'],
  ['https://', 'not a whole address'],
  ['ftp://api.example.com', 'not a whole address'],
  ['javascript:alert(1)', 'not a whole address'],
  ['https://me@api.example.com', 'user name'],
  ['https://me:secret@api.example.com', 'user name'],
  ['https://api.example.com?key=1', 'query'],
  ['https://api.example.com/#top', 'fragment'],
  ['http://[::1]:4010', 'not on this machine'],
  ['http://api.example.com', 'not on this machine'],
])('the base URL “%s” is refused', (address, reason) => {
  expect(() => readBaseUrl(address)).toThrow(reason);
  expect(originOf(address)).toBeUndefined();
});

test('spaces around a base URL and slashes at its end are left out', () => {
  expect(readBaseUrl(' https://api.example.com/speech// ')).toBe('https://api.example.com/speech');
  expect(originOf('HTTPS://API.example.com:443/speech')).toBe('https://api.example.com');
  expect(() => readBaseUrl('https://relay.example', ['wss:', 'ws:'])).toThrow('wss:// or ws://');
});

test.each([
  '@evil.example/',
  '.evil.example/',
  ':80@evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '\\evil.example',
  'https://evil.example/',
  '',
  '/../',
  '/%2e%2e/other',
  '/model#top',
])('the path “%s” is refused', (path) => {
  expect(() => requirePath('https://api.example.com/speech', path)).toThrow(/slash|leads away/);
});
