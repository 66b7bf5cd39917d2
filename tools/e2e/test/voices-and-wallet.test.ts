import { AuthenticationError, NotFoundError, PermissionDeniedError } from '@speech-api/client';
import { expect, test } from 'vitest';
import { errorOf } from './testing/error-of.ts';
import { useSandbox } from './testing/use-sandbox.ts';

const sandbox = useSandbox();

test('the list has the first page when awaited and every voice when iterated', async () => {
  const { models } = sandbox.client();
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

test('filters and order reach the service', async () => {
  const { models } = sandbox.client();
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

test("one voice, one that is nobody's and one that is somebody else's", async () => {
  const { models } = sandbox.client();
  expect(await models.get('sandbox-alba')).toMatchObject({
    _id: 'sandbox-alba',
    type: 'tts',
    state: 'trained',
  });
  expect(await errorOf(models.get('nobody'))).toBeInstanceOf(NotFoundError);
  expect(await errorOf(models.get('sandbox-foreign'))).toBeInstanceOf(PermissionDeniedError);
});

test('the wallet of the key is there by both of its names, and no other', async () => {
  const { wallet } = sandbox.client();
  const credit = await wallet.getApiCredit();
  expect(credit.credit).toMatch(/^\d+\.\d+$/);
  expect(await wallet.getApiCredit(credit.user_id)).toEqual(credit);
  expect(await wallet.getPackage()).toMatchObject({ user_id: credit.user_id, total: expect.any(Number) });
  expect(await errorOf(wallet.getPackage('sandbox-empty-user'))).toBeInstanceOf(PermissionDeniedError);
  const stranger = sandbox.client({ apiKey: 'not-a-key' });
  expect(await errorOf(stranger.wallet.getPackage())).toBeInstanceOf(AuthenticationError);
});
