export { defaultLimits, type RelayLimits } from './defaults.ts';
export type { Grant } from './grant.ts';
export type { RelayOperation } from './pass-through.ts';
export { connectRedis, type RedisLogEntry, type RedisOptions } from './redis.ts';
export { Refusal, type RefusalStatus, refusals } from './refusal.ts';
export {
  createRelay,
  type Relay,
  type RelayLogEntry,
  type RelayOptions,
  type RelayRequest,
  type UpgradingServer,
} from './relay.ts';
export type { SessionReport, Upstream } from './session.ts';
export { type RunningRelay, startRelay } from './start-relay.ts';
export type { RelayState } from './state.ts';
export { createTickets, type Tickets } from './tickets.ts';
