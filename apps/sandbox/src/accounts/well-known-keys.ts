/** The keys of the built-in seed data, and what each is for. */
export const wellKnownKeys = {
  'sandbox-key': 'works, with credit',
  'sandbox-empty': 'has no credit: 402',
  'sandbox-busy': 'is always at its concurrency limit: 429',
  'sandbox-forbidden': 'may do nothing: 403',
} as const;
