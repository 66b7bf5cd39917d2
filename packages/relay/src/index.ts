export { defaultLimits, type RelayLimits } from './defaults.ts';
export type { Grant } from './grant.ts';
export type { RelayLogEntry, RelayOptions, RelayRequest } from './options.ts';
export type { RelayOperation } from './pass-through.ts';
export { connectRedis, type RedisLogEntry, type RedisOptions } from './redis.ts';
export { Refusal, type RefusalStatus, refusals } from './refusal.ts';
export {
  createRelay,
  type Relay,
  type UpgradingServer,
} from './relay.ts';
export type { SessionReport, Upstream } from './session.ts';
export { type RunningRelay, startRelay } from './start-relay.ts';
export type { RelayState } from './state.ts';
export { createTickets, type Tickets } from './tickets.ts';
