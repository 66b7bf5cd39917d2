import { randomBytes } from 'node:crypto';
import { createTickets } from '@speech-api/relay';

// In production: SPEECH_RELAY_TICKET_SECRET, which the relay has too.
const tickets = createTickets({ secret: randomBytes(32) });
export const ticket = await tickets.issue({
  user: 'anna',
  voices: ['sandbox-alba'],
  formats: ['mp3'],
  characters: 2000,
});
