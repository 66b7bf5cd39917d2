export { defaultLimits, type RelayLimits } from './defaults.ts';
export type { Grant } from './grant.ts';
export { Refusal, type RefusalStatus, refusals } from './refusal.ts';
export {
  createRelay,
  type Relay,
  type RelayLogEntry,
  type RelayOptions,
  type RelayRequest,
  type RunningRelay,
  startRelay,
} from './relay.ts';
export type { SessionReport, Upstream } from './session.ts';
export { createTickets, type Tickets } from './tickets.ts';
