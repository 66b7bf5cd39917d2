export { defaultLimits, limitTable, type RelayLimits } from './defaults.ts';
export type { Grant, RelayLogEntry, RelayOptions, RelayRequest, SessionReport, Upstream } from './options.ts';
export { connectRedis, type RedisLogEntry, type RedisOptions } from './redis.ts';
export { Refusal, type RefusalStatus, refusals } from './refusal.ts';
export {
  createRelay,
  type Relay,
  type UpgradingServer,
} from './relay.ts';
export { type RunningRelay, startRelay } from './start-relay.ts';
export type { RelayState } from './state.ts';
export { createTickets, type Tickets } from './tickets.ts';
