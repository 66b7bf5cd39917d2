import { expect, test } from 'vitest';
import { testWithState } from './testing/needs-state.ts';
import { useOwnService } from './testing/use-service.ts';

const service = useOwnService();

testWithState('filters and order reach the service', async () => {
  const { models } = service.client();
  expect((await models.list({ title: 'Mei' })).items.map(({ _id }) => _id)).toEqual(['sandbox-mei']);
  const chinese = await models.list({ language: ['zh'] });
  expect(chinese.items.map(({ _id }) => _id)).toContain('sandbox-mei');
  expect(chinese.items.map(({ _id }) => _id)).not.toContain('sandbox-blake');
  const male = await models.list({ tag: ['male'] });
  expect(male.items.every(({ tags }) => tags.includes('male'))).toBe(true);
  const newest = await models.list({ sort_by: 'created_at' });
  const dates = newest.items.map(({ created_at }) => created_at);
  expect(dates).toEqual([...dates].sort().reverse());
  expect((await models.list({ self: true })).items.map(({ _id }) => _id)).not.toContain('sandbox-alba');
});

test('the list ends, and each voice of it is whole', async () => {
  const { models } = service.client();
  const ids: string[] = [];
  for await (const { _id, author, created_at } of models.list({ page_size: 2 })) {
    expect([author._id, Date.parse(created_at) > 0]).toEqual([expect.any(String), true]);
    ids.push(_id);
  }
  expect(new Set(ids).size).toBe(ids.length);
  expect((await models.list({ page_size: 2, page_number: 1000 })).items).toEqual([]);
});
