import { AuthenticationError, NotFoundError, PermissionDeniedError } from '@speech-api/client';
import { expect, test } from 'vitest';
import { errorOf } from './testing/error-of.ts';
import { testWithState } from './testing/needs-state.ts';
import { useOwnService } from './testing/use-service.ts';

const service = useOwnService();

testWithState('the list has the first page when awaited and every voice when iterated', async () => {
  const { models } = service.client();
  const list = models.list({ page_size: 2 });
  const page = await list;
  expect(page.items).toHaveLength(2);
  expect(page.has_more).toBe(true);
  const ids: string[] = [];
  for await (const { _id } of list) ids.push(_id);
  expect(ids).toHaveLength(page.total);
  expect(new Set(ids).size).toBe(page.total);
  expect(ids).toEqual(
    expect.arrayContaining(['sandbox-alba', 'sandbox-blake', 'sandbox-cleo', 'sandbox-mei']),
  );
});

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

testWithState("one voice, one that is nobody's and one that is somebody else's", async () => {
  const { models } = service.client();
  expect(await models.get('sandbox-alba')).toMatchObject({
    _id: 'sandbox-alba',
    type: 'tts',
    state: 'trained',
  });
  expect(await errorOf(models.get('nobody'))).toBeInstanceOf(NotFoundError);
  expect(await errorOf(models.get('sandbox-foreign'))).toBeInstanceOf(PermissionDeniedError);
});

testWithState('the wallet of the key is there by both of its names, and no other', async () => {
  const { wallet } = service.client();
  const credit = await wallet.getApiCredit();
  expect(credit.credit).toMatch(/^\d+\.\d+$/);
  expect(await wallet.getApiCredit(credit.user_id)).toEqual(credit);
  expect(await wallet.getPackage()).toMatchObject({ user_id: credit.user_id, total: expect.any(Number) });
  expect(await errorOf(wallet.getPackage('sandbox-empty-user'))).toBeInstanceOf(PermissionDeniedError);
  const stranger = service.client({ apiKey: 'not-a-key' });
  expect(await errorOf(stranger.wallet.getPackage())).toBeInstanceOf(AuthenticationError);
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
