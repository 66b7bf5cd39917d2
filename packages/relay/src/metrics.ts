import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RelayLogEntry } from './options.ts';
import type { Relay } from './relay.ts';

const seconds = [0.1, 0.3, 1, 3, 10, 30, 100, 300, 900];

/** Registers the metrics of a relay. @returns what counts an entry of its log */
export function countInto(
  registry: Registry,
  relay: Pick<Relay, 'sessions' | 'ready'>,
): (entry: RelayLogEntry) => void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number): Gauge =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('speech_relay_sessions', 'Sessions that are open.', () => relay.sessions);
  gauge('speech_relay_ready', '1 while the relay takes new sessions.', () => Number(relay.ready));
  const ended = new Counter({
    name: 'speech_relay_sessions_ended_total',
    help: 'Sessions that ended, by the status of the refusal that ended them, or "closed".',
    labelNames: ['status'],
    registers,
  });
  const refused = new Counter({
    name: 'speech_relay_refused_total',
    help: 'Sessions that were refused before they began, by status.',
    labelNames: ['status'],
    registers,
  });
  const calls = new Counter({
    name: 'speech_relay_calls_total',
    help: 'Calls over HTTP, by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const characters = new Counter({
    name: 'speech_relay_characters_total',
    help: 'Characters of text that went to the service, in sessions that ended and calls.',
    registers,
  });
  const audioBytes = new Counter({
    name: 'speech_relay_audio_bytes_total',
    help: 'Bytes of audio messages in sessions that ended.',
    registers,
  });
  const duration = new Histogram({
    name: 'speech_relay_session_seconds',
    help: 'How long sessions were open.',
    buckets: seconds,
    registers,
  });
  return (entry) => {
    if (entry.event === 'session') {
      ended.inc({ status: entry.status ?? 'closed' });
      characters.inc(entry.characters);
      audioBytes.inc(entry.audioBytes);
      duration.observe(entry.milliseconds / 1000);
    } else if (entry.event === 'refused') refused.inc({ status: entry.status });
    else if (entry.event === 'passed') {
      calls.inc({ operation: entry.operation, status: entry.status });
      characters.inc(entry.characters);
    }
  };
}
