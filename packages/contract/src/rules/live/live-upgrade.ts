import { createHash } from 'node:crypto';
import { type Rule, unless } from '../../judge/rule.ts';
import type { LiveSession } from '../../subjects/live-session.ts';

export const liveUpgrade: Rule<LiveSession> = {
  id: 'live-upgrade',
  judge: ({ exchange }) => {
    const { request, response } = exchange.upgrade;
    if (response.status !== 101) return undefined;
    const { upgrade = '', connection = '' } = response.headers;
    const accept = response.headers['sec-websocket-accept'];
    const key = request.headers['sec-websocket-key'];
    return [
      ...unless(upgrade.toLowerCase() === 'websocket', {
        message: 'The 101 does not name the upgrade websocket.',
        where: 'header upgrade',
      }),
      ...unless(/\bupgrade\b/i.test(connection), {
        message: 'The 101 does not name the connection Upgrade.',
        where: 'header connection',
      }),
      ...unless(accept !== undefined && (key === undefined || accept === acceptOf(key)), {
        message: 'The 101 does not answer the key of the WebSocket.',
        where: 'header sec-websocket-accept',
      }),
    ];
  },
};

/** RFC 6455, section 4.2.2. */
function acceptOf(key: string): string {
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
}
