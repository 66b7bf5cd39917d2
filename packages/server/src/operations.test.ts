import { expect, test } from 'vitest';
import { createRouter, readOperations } from './operations.ts';

const route = createRouter();

test('finds every operation by its method and path, and decodes path parameters', () => {
  for (const { id, method, path } of readOperations()) {
    const match = route(method, path.replace(/\{[^}]+\}/g, 'a%2Fb%20c'));
    expect(match).toMatchObject({ kind: 'operation', operation: { id } });
  }
  expect(route('GET', '/model/a%2Fb%20c')).toMatchObject({ pathParameters: { id: 'a/b c' } });
});

const missing = ['/', '/v1', '/v1/tts/', '/v1/ttsx', '/model/', '/model/a/b', '//model', '/__proto__'];

test.each([...missing, '/model/%', '/model/%ff'])('has nothing at %s', (path) => {
  expect(route('GET', path)).toEqual({ kind: 'unknown-path' });
});

test('lists the methods a path has', () => {
  const allow = expect.arrayContaining(['GET', 'PATCH', 'DELETE']);
  expect(route('PUT', '/model/x')).toEqual({ kind: 'unknown-method', allow });
});
