/** Credit in billionths, and each charge that was taken from it. */
export const wallets = `
  CREATE TABLE wallets (
    user_id TEXT PRIMARY KEY,
    credit INTEGER NOT NULL CHECK (credit >= 0),
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE charges (
    id INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES wallets (user_id),
    amount INTEGER NOT NULL CHECK (amount > 0),
    operation TEXT NOT NULL,
    charged_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX charges_by_user ON charges (user_id);
`;
