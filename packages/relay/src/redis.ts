import { randomUUID } from 'node:crypto';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import {
  clockToleranceSeconds,
  leaseSeconds as defaultLeaseSeconds,
  localShare,
  redisAnswerSeconds,
} from './defaults.ts';
import { Refusal } from './refusal.ts';
import {
  type Counted,
  type GiveBack,
  ProcessState,
  type Rate,
  type RelayState,
  type TicketTimes,
  takeFrom,
  usedBefore,
} from './state.ts';

/** Options for connecting to Redis. */
export interface RedisOptions {
  /** `redis://` or `rediss://`, with a password if there is one. */
  readonly url: string;
  /**
   * Treatment of new sessions while Redis cannot be reached: nobody is let in, or each relay counts for
   * itself. Tickets are refused in both cases. Open sessions continue with a tenth of the day's limits.
   *
   * @defaultValue 'refuse'
   */
  readonly whenUnavailable?: 'refuse' | 'allow' | undefined;
  /** Seconds after which the places of a relay that crashed are free again. The same for all relays. @defaultValue 30 */
  readonly leaseSeconds?: number | undefined;
  readonly log?: ((entry: RedisLogEntry) => void) | undefined;
}

/** Redis was lost, or is there again. */
export interface RedisLogEntry {
  readonly event: 'redis';
  readonly state: 'connected' | 'lost';
  /** A code such as `ECONNREFUSED`; never an address or a password. */
  readonly reason?: string;
}

/** As much of the client of Redis as is used here. */
interface Client {
  readonly isReady: boolean;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  zRem(key: string, member: string): Promise<unknown>;
  destroy(): void;
}

// One slot of a cluster: a script may touch several keys.
const prefix = '{speech-relay}:';

// The clock is that of Redis: those of the relays may differ.
const milliseconds = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** KEYS: places. ARGV: the lease, its milliseconds, and the limit of each key. */
const takePlaces = `${milliseconds}
for index, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  if redis.call('ZCARD', key) >= tonumber(ARGV[index + 2]) then return 0 end
end
for _, key in ipairs(KEYS) do
  redis.call('ZADD', key, now + ARGV[2], ARGV[1])
  redis.call('PEXPIRE', key, ARGV[2])
end
return 1
`;

/** KEYS: places. ARGV: milliseconds, and the lease of each key. A lease that Redis has lost is there again. */
const renewPlaces = `${milliseconds}
for index, key in ipairs(KEYS) do
  redis.call('ZADD', key, now + ARGV[1], ARGV[index + 1])
  redis.call('PEXPIRE', key, ARGV[1])
end
`;

/**
 * KEYS: the ticket, and when this Redis began. ARGV: the second in which the ticket was issued at the earliest, and how
 * many milliseconds it is kept. A Redis that began after it may have forgotten that the ticket was used.
 */
const useTicket = `
redis.call('SET', KEYS[2], redis.call('TIME')[1], 'NX')
if tonumber(ARGV[1]) <= tonumber(redis.call('GET', KEYS[2])) then return 'forgotten' end
if redis.call('SET', KEYS[1], '', 'NX', 'PX', ARGV[2]) then return 'new' end
return 'used'
`;
const markBegin = `redis.call('SET', KEYS[1], redis.call('TIME')[1], 'NX')`;
const beginKey = `${prefix}began`;

/**
 * KEYS: a rate. ARGV: points, and the milliseconds after which their window ends at the latest. One that ends later has
 * begun since, and has not counted them.
 */
const giveBack = `
local left = redis.call('PTTL', KEYS[1])
if left > 0 and left <= tonumber(ARGV[2]) then redis.call('DECRBY', KEYS[1], ARGV[1]) end
`;
/** By how much the clocks of a relay and of Redis may differ at the end of a day. */
const clockDriftMilliseconds = 1000;

const keysAtOnce = 1000;

/**
 * Connects to Redis, in which several relays count together. The client is loaded here.
 *
 * @throws Error when Redis cannot be reached; later it is connected to again whenever it is lost
 */
export async function connectRedis(options: RedisOptions): Promise<RelayState> {
  const { url, whenUnavailable = 'refuse', leaseSeconds = defaultLeaseSeconds, log } = options;
  const { createClient } = await import('@redis/client');
  let wasReady = false;
  const client = createClient({
    url,
    // A command fails at once while Redis is away.
    disableOfflineQueue: true,
    commandsQueueMaxLength: 100_000,
    pingInterval: redisAnswerSeconds * 500,
    socket: {
      connectTimeout: redisAnswerSeconds * 1000,
      // A connection that is there and does not answer, not even a ping: all that waits for it fails.
      socketTimeout: redisAnswerSeconds * 1000,
      // At the start one attempt, so that a wrong address is noticed.
      reconnectStrategy: (retries) =>
        wasReady && Math.min(2000, 50 * 2 ** retries) * (0.5 + Math.random() / 2),
    },
  });
  const state = new RedisState(client, whenUnavailable, leaseSeconds * 1000);
  let lost = false;
  client.on('error', (error: unknown) => {
    if (!wasReady || lost) return;
    lost = true;
    log?.({ event: 'redis', state: 'lost', reason: reasonOf(error) });
  });
  client.on('ready', () => {
    if (lost) log?.({ event: 'redis', state: 'connected' });
    [wasReady, lost] = [true, false];
    state.renew();
  });
  try {
    await client.connect();
  } catch (error) {
    await state.close();
    throw new Error(
      `Redis at ${new URL(url).host} cannot be used: ${reasonOf(error)}. Check its address and password.`,
    );
  }
  return state;
}

class RedisState implements RelayState {
  readonly #client: Client;
  readonly #mayAllow: boolean;
  readonly #leaseMilliseconds: number;
  /** State of this process; counts alone while Redis is away. */
  readonly #local = new ProcessState();
  readonly #leases = new Map<string, readonly Counted[]>();
  readonly #heartbeat: NodeJS.Timeout;

  constructor(client: Client, whenUnavailable: 'refuse' | 'allow', leaseMilliseconds: number) {
    this.#client = client;
    this.#mayAllow = whenUnavailable === 'allow';
    this.#leaseMilliseconds = leaseMilliseconds;
    this.#heartbeat = setInterval(() => this.renew(), leaseMilliseconds / 3).unref();
  }

  get ready(): boolean {
    return this.#mayAllow || this.#client.isReady;
  }

  async takePlaces(places: readonly Counted[]): Promise<(() => void) | undefined> {
    const giveLocalBack = this.#local.takePlacesNow(places);
    if (!giveLocalBack) return undefined;
    const lease = randomUUID();
    // The lease is kept even if Redis does not answer now: the next heartbeat registers it there.
    this.#leases.set(lease, places);
    const giveBack = (): void => {
      giveLocalBack();
      this.#leases.delete(lease);
      for (const { key } of places) this.#client.zRem(placeKey(key), lease).catch(() => {});
    };
    try {
      const taken = await this.#ask(
        takePlaces,
        places.map(({ key }) => placeKey(key)),
        [lease, String(this.#leaseMilliseconds), ...places.map(({ limit }) => String(limit))],
      );
      if (taken === 1) return giveBack;
    } catch (error) {
      if (this.#mayAllow) return giveBack;
      giveBack();
      throw error;
    }
    giveBack();
    return undefined;
  }

  createRate(name: string, limit: number, seconds: number): Rate {
    const localLimit = this.#mayAllow ? limit : Math.ceil(limit * localShare);
    const local = this.#local.createRate(name, localLimit, seconds);
    const limiter = new RateLimiterRedis({
      storeClient: this.#client,
      useRedisPackage: true,
      keyPrefix: `${prefix}${name}`,
      points: limit,
      duration: seconds,
    });
    return {
      take: async (key, points) => {
        const giveBackWithin = (milliseconds: number): GiveBack => {
          const end = performance.now() + milliseconds;
          return (back) => this.#giveBack(limiter.getKey(key), back, end - performance.now());
        };
        try {
          return await takeFrom(limiter, key, points, giveBackWithin);
        } catch (error) {
          if (error instanceof RateLimiterRes) throw error;
          return await local.take(key, points);
        }
      },
    };
  }

  async #giveBack(key: string, points: number, millisecondsToEnd: number): Promise<void> {
    const latestEnd = Math.ceil(millisecondsToEnd + clockDriftMilliseconds);
    await this.#ask(giveBack, [key], [String(points), String(latestEnd)]).catch(() => {});
  }

  async useTicket(id: string, { issued, expires, now }: TicketTimes): Promise<void> {
    const answer = await this.#ask(
      useTicket,
      [`${prefix}ticket:${id}`, beginKey],
      [
        // By a clock that may be ahead of that of Redis.
        String(Math.floor(issued / 1000) - clockToleranceSeconds),
        // A little longer, where the clocks differ.
        String(Math.max(0, expires - now) + 60_000),
      ],
    );
    if (answer === 'used') throw new Refusal(401, usedBefore);
    if (answer !== 'new') throw new Refusal(503);
  }

  /** The heartbeat: keeps the places of all sessions for another while. Never rejects. */
  renew(): void {
    const pairs = [...this.#leases].flatMap(([lease, places]) =>
      places.map(({ key }) => ({ key: placeKey(key), lease })),
    );
    this.#ask(markBegin, [beginKey], []).catch(() => {});
    for (let from = 0; from < pairs.length; from += keysAtOnce) {
      const some = pairs.slice(from, from + keysAtOnce);
      this.#ask(
        renewPlaces,
        some.map(({ key }) => key),
        [String(this.#leaseMilliseconds), ...some.map(({ lease }) => lease)],
      ).catch(() => {});
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    const left = [...this.#leases].flatMap(([lease, places]) =>
      places.map(({ key }) => this.#client.zRem(placeKey(key), lease)),
    );
    await Promise.allSettled(left);
    this.#client.destroy();
  }

  /** @throws Refusal 503 for whatever Redis fails with, and when it does not answer in time */
  async #ask(script: string, keys: string[], values: string[]): Promise<unknown> {
    try {
      return await this.#client.eval(script, { keys, arguments: values });
    } catch {
      throw new Refusal(503);
    }
  }
}

function placeKey(key: string): string {
  return `${prefix}places:${key}`;
}

/** The code of an error, or the first word of what Redis answers, such as WRONGPASS. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  const word = cause instanceof Error ? /^[A-Z]{3,}\b/.exec(cause.message)?.[0] : undefined;
  return word ?? (cause instanceof Error ? cause.name : 'unknown');
}
