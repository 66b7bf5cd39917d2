import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RelayLogEntry } from './options.ts';

const seconds = [0.1, 0.3, 1, 3, 10, 30, 100, 300, 900];

/** Registers the metrics of a relay. @returns a function that counts a log entry */
export function countInto(
  registry: Registry,
  relay: { readonly sessions: number; readonly ready: boolean },
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
  const counter = <Label extends string>(
    name: string,
    help: string,
    ...labelNames: Label[]
  ): Counter<Label> => new Counter({ name: `speech_relay_${name}_total`, help, labelNames, registers });
  const ended = counter(
    'sessions_ended',
    'Sessions that ended, by the status of the refusal that ended them, or "closed".',
    'status',
  );
  const refused = counter('refused', 'Sessions that were refused before they began, by status.', 'status');
  const characters = counter(
    'characters',
    'Characters of text that went to the service, in sessions that ended.',
  );
  const audioBytes = counter('audio_bytes', 'Bytes of audio messages in sessions that ended.');
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
  };
}
