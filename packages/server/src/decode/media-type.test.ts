import { expect, it } from 'vitest';
import { chooseMediaType } from './media-type.ts';

const accepted = ['application/json', 'application/msgpack'] as const;

it.each([
  ['application/json', 'application/json'],
  ['Application/JSON; charset=UTF-8', 'application/json'],
  ['application/msgpack;x=y', 'application/msgpack'],
])('takes %s', (header, expected) => {
  expect(chooseMediaType(header, accepted)).toBe(expected);
});

it.each([undefined, '', 'json', 'text/plain', 'application/xml', 'multipart/form-data; boundary=x'])(
  'refuses %s and lists what is accepted',
  (header) => {
    expect(() => chooseMediaType(header, accepted)).toThrow('application/json or application/msgpack');
  },
);

it('refuses another charset and a content coding', () => {
  expect(() => chooseMediaType('application/json; charset=latin1', accepted)).toThrow('latin1');
  expect(() => chooseMediaType('application/json', accepted, 'gzip')).toThrow('Content-Encoding: gzip');
  expect(chooseMediaType('application/json', accepted, 'identity')).toBe('application/json');
});
