import { expect } from 'vitest';

/** State of a voice model, known from the answers so far; `undefined` titles are unknown. */
export interface KnownModel {
  title: string;
  readonly clip: Uint8Array;
  uses: number;
  /** A title that was sent and not answered: it may hold or not. */
  doubtfulTitle?: string;
  /** A deletion that was sent and not answered. */
  doubtfullyDeleted?: boolean;
  doubtfulUses: number;
}

/** State that a server has acknowledged, and requests that it left without an answer. */
export interface Acknowledged {
  readonly models: Map<string, KnownModel>;
  readonly deleted: Set<string>;
  /** Clips of creations without an answer, by their titles. */
  readonly doubtfulModels: Map<string, Uint8Array>;
  /** Millionths. */
  credit: bigint;
  /** The prices of requests without an answer. */
  doubtfulCharges: bigint;
}

/** Of a server that was never asked for anything. */
export const nothingKnown = (): Acknowledged => ({
  models: new Map(),
  deleted: new Set(),
  doubtfulModels: new Map(),
  credit: millionths('100.00'),
  doubtfulCharges: 0n,
});

interface ReadModel {
  readonly _id: string;
  readonly title: string;
  readonly task_count: number;
  readonly samples: readonly { readonly audio: string }[];
}

const headers = { authorization: 'Bearer sandbox-key' };
const titlePrefix = 'Killed';

/** Millionths of a decimal number in a string. */
function millionths(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(6, '0').slice(0, 6));
}

/** A title that nobody else has. */
export function newTitle(): string {
  return `${titlePrefix} ${crypto.randomUUID()}`;
}

/**
 * Asks a restarted server for everything, and lets what was in doubt be settled by its answers.
 *
 * @param touched the ids whose recordings are compared too
 */
export async function verify(url: string, known: Acknowledged, touched: ReadonlySet<string>): Promise<void> {
  const read = async (path: string): Promise<Response> => fetch(url + path, { headers });
  const found = new Map<string, ReadModel>();
  for (let page = 1, isMore = true; isMore; page += 1) {
    const list = await read(`/model?self=true&title=${titlePrefix}&page_size=100&page_number=${page}`);
    const { items, has_more } = (await list.json()) as { items: readonly ReadModel[]; has_more: boolean };
    for (const model of items) found.set(model._id, model);
    isMore = has_more;
  }

  for (const [id, model] of known.models) {
    const stored = found.get(id);
    if (stored === undefined) {
      expect(model.doubtfullyDeleted, `the voice model ${id} is lost`).toBe(true);
      known.models.delete(id);
      known.deleted.add(id);
      continue;
    }
    expect([model.title, model.doubtfulTitle], `the title of ${id}`).toContain(stored.title);
    expect(stored.task_count).toBeGreaterThanOrEqual(model.uses);
    expect(stored.task_count).toBeLessThanOrEqual(model.uses + model.doubtfulUses);
    known.models.set(id, { title: stored.title, clip: model.clip, uses: stored.task_count, doubtfulUses: 0 });
  }
  for (const [id, stored] of found) {
    if (known.models.has(id)) continue;
    expect(known.deleted, `${id} was deleted and is there`).not.toContain(id);
    const clip = known.doubtfulModels.get(stored.title);
    if (clip === undefined) throw new Error(`nobody has made the voice model ${id}`);
    // Data committed without an answer must still be complete.
    expect(await clipOf(stored)).toEqual(clip);
    known.models.set(id, { title: stored.title, clip, uses: 0, doubtfulUses: 0 });
  }
  known.doubtfulModels.clear();
  for (const id of touched) {
    const stored = found.get(id);
    if (stored) expect(await clipOf(stored)).toEqual(known.models.get(id)?.clip);
    else expect((await read(`/model/${id}`)).status).toBe(404);
  }
  const wallet = (await (await read('/wallet/self/api-credit')).json()) as { credit: string };
  const credit = millionths(wallet.credit);
  expect(credit).toBeLessThanOrEqual(known.credit);
  expect(credit).toBeGreaterThanOrEqual(known.credit - known.doubtfulCharges);
  known.credit = credit;
  known.doubtfulCharges = 0n;
}

async function clipOf(model: ReadModel): Promise<Uint8Array> {
  const response = await fetch(model.samples[0]?.audio ?? '');
  expect(response.status, `the recording of ${model._id}`).toBe(200);
  return response.bytes();
}
