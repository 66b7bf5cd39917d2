import { statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTransaction, openDatabase } from './state/database.ts';
import { newFolder } from './testing/sandboxes.ts';
import { createWalletStore, type Hold, readAmount, writeAmount } from './wallet.ts';

test.each([
  ['0', '0.00'],
  ['100.00', '100.00'],
  ['0.1', '0.10'],
  ['12.345678', '12.345678'],
  ['0.000000001', '0.000000001'],
  ['9007199254.740993', '9007199254.740993'],
])('reads %s and writes %s', (text, written) => {
  expect(writeAmount(readAmount(text))).toBe(written);
});

test.each(['', '1.', '-1', '1e3', '0.0000000001', '9999999999'])('refuses %j', (written) => {
  expect(() => readAmount(written)).toThrow(RangeError);
});

test('writes every amount so that it reads as the same', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (amount) => {
      expect(readAmount(writeAmount(amount))).toBe(amount);
    }),
  );
});

function openWallets(opening: bigint, file = ':memory:') {
  const database = openDatabase(file);
  const wallets = createWalletStore(database, {
    transaction: createTransaction(database),
    now: () => 1_000,
  });
  wallets.open('user', opening, 0);
  return { database, wallets };
}

/** Returns undefined if the credit is too low. */
function reserve<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    expect(error).toMatchObject({ status: 402 });
    return undefined;
  }
}

const amount = fc.bigInt({ min: 0n, max: 1_000n });
const step = fc.oneof(
  fc.record({ do: fc.constant('hold' as const), amount }),
  fc.record({ do: fc.constant('grow' as const), place: fc.nat(), amount }),
  fc.record({ do: fc.constant('settle' as const), place: fc.nat(), amount }),
);

test('never spends more credit than there is, and its charges add up exactly', () => {
  fc.assert(
    fc.property(amount, fc.array(step, { maxLength: 60 }), (opening, steps) => {
      const { database, wallets } = openWallets(opening);
      const open: { hold: Hold; amount: bigint }[] = [];
      let total = 0n;
      let charged = 0n;
      for (const step of steps) {
        const before = wallets.read('user').available;
        if (step.do === 'hold') {
          const hold = reserve(() => wallets.hold('user', step.amount));
          expect(hold === undefined).toBe(step.amount > before);
          if (hold === undefined) continue;
          total += step.amount;
          open.push({ hold, amount: step.amount });
          continue;
        }
        const place = step.place % Math.max(1, open.length);
        const chosen = open[place];
        if (chosen === undefined) continue;
        if (step.do === 'grow') {
          const hasGrown = reserve(() => chosen.hold.grow(step.amount) ?? true) === true;
          expect(hasGrown).toBe(step.amount <= before);
          if (!hasGrown) continue;
          total += step.amount;
          chosen.amount += step.amount;
        } else {
          open.splice(place, 1);
          chosen.hold.settle(step.amount);
          // Settling twice has no effect.
          chosen.hold.settle(1_000n);
          total -= chosen.amount;
          charged += chosen.amount;
          if (step.amount < chosen.amount) charged += step.amount - chosen.amount;
        }
        const { available } = wallets.read('user');
        expect(available).toBe(opening - total - charged);
        expect(available).toBeGreaterThanOrEqual(0n);
      }
      database.close();
    }),
  );
});

test('reserves nothing while the disk takes no charge, which it finds out by a write, and all of it afterwards', async () => {
  const file = join(await newFolder(), 'wallets.db');
  const { database, wallets } = openWallets(10n, file);
  const before = wallets.read('user');
  database.exec('PRAGMA query_only = ON');
  const refused = {
    status: 503,
    message: expect.stringMatching(/cannot write to its data folder .*Make room/),
  };
  expect(() => wallets.hold('user', 4n)).toThrow(expect.objectContaining(refused));
  database.exec('PRAGMA query_only = OFF');
  const written = statSync(`${file}-wal`).size;
  expect(wallets.hold('user', 0n)).toBeDefined();
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(written);
  expect(wallets.read('user')).toEqual(before);
  expect(wallets.hold('user', 10n)).toBeDefined();
  database.close();
});

test('forgets reserves when it is cleared: what is settled afterwards is not charged', () => {
  const { wallets } = openWallets(10n);
  const hold = wallets.hold('user', 4n);
  wallets.clear();
  wallets.open('user', 10n, 0);
  hold.settle(4n);
  expect(wallets.read('user').available).toBe(10n);
});

test('stores what belongs to a charge with it, or neither, and keeps the reserve until both are on the disk', () => {
  const { database, wallets } = openWallets(10n);
  database.exec('CREATE TABLE notes (text TEXT NOT NULL UNIQUE)');
  const note = (text: string) => () => void database.prepare('INSERT INTO notes VALUES (?)').run(text);
  const hold = wallets.hold('user', 4n);
  const fails = () => {
    note('lost')();
    throw new Error('no room');
  };
  expect(() => hold.settle(3n, fails)).toThrow('no room');
  expect(wallets.read('user').available).toBe(6n);

  // The commit itself fails, after everything was written.
  const breaksAtCommit =
    'CREATE TABLE parents (id INTEGER PRIMARY KEY); CREATE TABLE children (parent REFERENCES parents DEFERRABLE INITIALLY DEFERRED);';
  database.exec(breaksAtCommit);
  expect(() => hold.settle(3n, () => database.exec('INSERT INTO children VALUES (1)'))).toThrow(
    'FOREIGN KEY',
  );
  expect(wallets.read('user').available).toBe(6n);

  hold.settle(3n, note('kept'));
  hold.settle(3n, note('again'));
  expect(wallets.read('user').available).toBe(7n);
  expect(database.prepare('SELECT text FROM notes').all()).toEqual([{ text: 'kept' }]);
});
