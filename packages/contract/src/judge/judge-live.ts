import { readAnswer } from '../answer/answer.ts';
import type { HttpExchange } from '../exchange/http-exchange.ts';
import type { LiveExchange } from '../exchange/live-exchange.ts';
import { answerRules, audioRules, fieldsRules, liveRules } from '../rules/all-rules.ts';
import { fieldsOfAnswer } from '../subjects/fields.ts';
import { factsOf, readAudio } from '../subjects/judged-audio.ts';
import { type LiveSession, readLiveSession } from '../subjects/live-session.ts';
import type { Said } from './judge-answer.ts';
import type { Judged, Protocol } from './protocol.ts';

/** Judges a session: its upgrade as an answer, its messages, and the audio that they join to. */
export async function judgeLive(
  exchange: LiveExchange,
  protocol: Protocol,
  deadlineMs: number,
): Promise<Said> {
  const session = await withAudio(readLiveSession(exchange), deadlineMs);
  const status = statusOf(session);
  const answer = await readAnswer(asHttp(exchange, status));
  const judged: Judged = {
    exchange,
    status: exchange.upgrade.response.status,
    mediaType: answer.mediaType ?? '',
  };
  protocol.note(judged);
  // A refusal in the session has no body of its own; only whether it was due is judged.
  const isRefusedInside = status !== exchange.upgrade.response.status;
  protocol.judge(
    isRefusedInside ? answerRules.filter(({ id }) => aboutOutcome.includes(id)) : answerRules,
    answer,
    judged,
  );
  const fields = isRefusedInside ? undefined : fieldsOfAnswer(answer);
  if (fields !== undefined) protocol.judge(fieldsRules, fields, judged);
  if (exchange.upgrade.response.status !== 101) return { said: undefined };
  protocol.judge(liveRules, session, judged);
  for (const { audio } of session.turns) {
    if (audio !== undefined)
      protocol.judge(
        audioRules.filter(({ id }) => !toldOfTheSession.includes(id)),
        audio,
        judged,
      );
  }
  const fingerprint = session.turns
    .map(({ audio }) => (audio === undefined ? '' : factsOf(audio)?.fingerprint))
    .join(' ');
  const kinds = new Set(
    session.messages.filter(({ direction }) => direction === 'received').map(({ event }) => event),
  );
  return { said: [...kinds].sort().join(' '), ...(fingerprint.trim() !== '' && { fingerprint }) };
}

/** Rules of answers that hold for a session as a whole. */
const aboutOutcome = ['success-expected', 'refusal-expected', 'key-checked'];

/** A rule of sessions says the same of the joined audio. */
const toldOfTheSession = ['audio-format', 'audio-decodes', 'audio-ends-whole', 'audio-not-empty'];

/**
 * That of the upgrade; or 400 where the session was refused once it was open, with an error message or a close code;
 * or 500 where it finished because the server failed.
 */
function statusOf({ exchange, messages, turns }: LiveSession): number {
  const { status } = exchange.upgrade.response;
  if (status !== 101) return status;
  const hasError = messages.some(({ direction, event }) => direction === 'received' && event === 'error');
  const code = exchange.close?.by === 'server' ? exchange.close.code : 1000;
  if (code === 1011 || turns.some(({ finished }) => finished === 'error')) return 500;
  return hasError || [1007, 1008, 1009].includes(code) ? 400 : status;
}

function asHttp(exchange: LiveExchange, status: number): HttpExchange {
  const { name, operationId, upgrade, expectation } = exchange;
  return {
    kind: 'http',
    name,
    operationId,
    request: upgrade.request,
    response: { ...upgrade.response, status },
    ...(expectation !== undefined && { expectation }),
  };
}

async function withAudio(session: LiveSession, deadlineMs: number): Promise<LiveSession> {
  const turns = session.turns.map(async (turn) => {
    // Audio of a session that did not end well need not be whole.
    if (turn.finished !== 'stop' || turn.pieces.length === 0) return turn;
    const bytes = Buffer.concat(turn.pieces.map((piece) => piece.bytes));
    return { ...turn, audio: await readAudio(bytes, turn.asked, undefined, deadlineMs) };
  });
  return { ...session, turns: await Promise.all(turns) };
}
