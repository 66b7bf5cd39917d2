import { expect, test } from 'vitest';
import { differences, directionsOf } from './place.ts';

test('parameters are found again in another order, with what changed inside them', () => {
  const size = { name: 'size', in: 'query', schema: { default: 10 } };
  const page = { name: 'page', in: 'query' };
  const larger = { ...size, schema: { default: 20 } };
  expect([...differences([size, page], [page, size], '/parameters')]).toEqual([]);
  expect([...differences([size, page], [page, larger], '/parameters')]).toEqual([
    { pointer: '/parameters/1/schema/default', before: 10, after: 20 },
  ]);
  expect([...differences([size, page], [page], '/parameters')]).toEqual([
    { pointer: '/parameters/0', before: size },
  ]);
});

test('a list of values is one value, and the order of members none', () => {
  expect([...differences({ a: 1, b: ['x', 'y'] }, { b: ['y'], a: 1 })]).toEqual([
    { pointer: '/b', before: ['x', 'y'], after: ['y'] },
  ]);
});

test('a schema travels the ways of all who use it', () => {
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const directions = directionsOf({
    paths: {
      '/speech': {
        post: {
          requestBody: { schema: reference('Asked') },
          responses: { 200: { schema: reference('Answer') } },
        },
      },
    },
    components: {
      schemas: {
        Asked: { properties: { voice: reference('Voice'), self: reference('Asked') } },
        Answer: { properties: { voice: reference('Voice') } },
        Voice: { type: 'string' },
        Unused: {},
      },
    },
  });
  const of = (name: string) => [...directions(`/components/schemas/${name}/type`)].sort();
  expect(of('Asked')).toEqual(['request']);
  expect(of('Answer')).toEqual(['response']);
  expect(of('Voice')).toEqual(['request', 'response']);
  expect(of('Unused')).toEqual([]);
  expect([...directions('/paths/~1speech/post/responses/200')]).toEqual(['response']);
});
