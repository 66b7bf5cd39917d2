import { operationTable } from '@speech-api/types';
import { expect, test } from 'vitest';
import { readOperations } from '../spec/operations.ts';
import { createRouter } from './router.ts';

const route = createRouter();

test.each(Object.entries(operationTable))('finds %s by its method and path', (id, { method, path }) => {
  const found = route(method, path.replace(/\{[^}]+\}/g, 'a%20b'));
  expect(found).toMatchObject({ kind: 'operation', operation: { id } });
});

test('decodes a path parameter', () => {
  expect(route('GET', '/model/a%2Fb%20c')).toMatchObject({ pathParameters: { id: 'a/b c' } });
});

test.each([
  '/',
  '/v1',
  '/v1/tts/',
  '/v1/ttsx',
  '/model/',
  '/model/a/b',
  '/model/%',
  '/model/%ff',
  '//model',
  '/__proto__',
])('has nothing at %s', (path) => {
  expect(route('GET', path)).toEqual({ kind: 'unknown-path' });
});

test('lists the methods a path has', () => {
  expect(route('PUT', '/model/x')).toMatchObject({
    kind: 'unknown-method',
    allow: expect.arrayContaining(['GET', 'PATCH', 'DELETE']),
  });
  expect(route('GET', '/v1/tts')).toEqual({ kind: 'unknown-method', allow: ['POST'] });
});

test('prefers a path without parameters, wherever it is listed', () => {
  const [example] = readOperations();
  if (!example) throw new Error('the spec has no operations');
  const both = createRouter([
    { ...example, method: 'GET', path: '/model/{id}' },
    { ...example, method: 'GET', path: '/model/latest' },
  ]);
  expect(both('GET', '/model/latest')).toMatchObject({ operation: { path: '/model/latest' } });
});
