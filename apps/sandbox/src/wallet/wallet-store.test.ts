import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openDatabase } from '../state/open-database.ts';
import { createTransaction } from '../state/transaction.ts';
import { createWalletStore, type Hold } from './wallet-store.ts';

function openWallets(opening: bigint) {
  const database = openDatabase(':memory:');
  const wallets = createWalletStore(database, {
    transaction: createTransaction(database),
    now: () => 1_000,
  });
  wallets.open('user', opening, 0);
  return { database, wallets };
}

const amount = fc.bigInt({ min: 0n, max: 1_000n });
const step = fc.oneof(
  fc.record({ do: fc.constant('hold' as const), amount }),
  fc.record({ do: fc.constant('settle' as const), place: fc.nat(), amount }),
);

it('never spends more than there is, and its charges sum up to exactly what is gone', () => {
  fc.assert(
    fc.property(amount, fc.array(step, { maxLength: 60 }), (opening, steps) => {
      const { database, wallets } = openWallets(opening);
      const open: { hold: Hold; amount: bigint }[] = [];
      let held = 0n;
      let charged = 0n;
      for (const each of steps) {
        const before = wallets.read('user').available;
        if (each.do === 'hold') {
          const hold = wallets.hold('user', each.amount, 'createSpeech');
          expect(hold === undefined).toBe(each.amount > before);
          if (hold === undefined) continue;
          held += each.amount;
          open.push({ hold, amount: each.amount });
        } else if (open.length > 0) {
          const [settled] = open.splice(each.place % open.length, 1);
          if (settled === undefined) continue;
          settled.hold.settle(each.amount);
          // A second settlement does nothing.
          settled.hold.settle(1_000n);
          held -= settled.amount;
          charged += settled.amount;
          if (each.amount < settled.amount) charged += each.amount - settled.amount;
        }
        const { available } = wallets.read('user');
        expect(available).toBe(opening - held - charged);
        expect(available).toBeGreaterThanOrEqual(0n);
        expect(wallets.charges('user').reduce((sum, charge) => sum + charge, 0n)).toBe(charged);
      }
      database.close();
    }),
  );
});

it('keeps a wallet that is opened again as it is', () => {
  const { wallets } = openWallets(10n);
  wallets.hold('user', 4n, 'createSpeech')?.settle(4n);
  wallets.open('user', 10n, 0);
  expect(wallets.read('user')).toEqual({ available: 6n, updatedAt: 1_000 });
});

it('forgets reserves when it is cleared: what is settled afterwards is not charged', () => {
  const { wallets } = openWallets(10n);
  const hold = wallets.hold('user', 4n, 'createSpeech');
  wallets.clear();
  wallets.open('user', 10n, 0);
  hold?.settle(4n);
  expect(wallets.read('user').available).toBe(10n);
});
