import type { Exchange } from '../exchange.ts';
import type { Made } from './make-step.ts';

/** Notices that a server no longer accepts connections. */
interface Listening {
  /** Called before a call is made; what it returns is called with the outcome. */
  begin(): (made: Made) => void;
  /** Says so in words, once the server has stopped. */
  readonly stopped: () => string | undefined;
  /** Of the calls that the end of the server left without an answer, only the first one is kept, with the reason. */
  readonly explain: (exchange: Exchange) => readonly Exchange[];
}

export function watchListening(): Listening {
  let begun = 0;
  let answered = 0;
  let words: string | undefined;
  let unanswered: { readonly exchange: Exchange; readonly begunByThen: number }[] = [];
  return {
    begin() {
      begun += 1;
      const own = begun;
      return ({ exchange, failure }) => {
        if (failure !== undefined) {
          unanswered.push({ exchange, begunByThen: begun });
          if (isRefused(failure)) words ??= `the server stopped listening after call ${answered}`;
          return;
        }
        answered += 1;
        // The server still accepted a connection after those had failed.
        unanswered = unanswered.filter(({ begunByThen }) => own <= begunByThen);
      };
    },
    stopped: () => words,
    explain(exchange) {
      if (words === undefined || !unanswered.some((each) => each.exchange === exchange)) return [exchange];
      return exchange === unanswered[0]?.exchange ? [withReason(exchange, words)] : [];
    },
  };
}

/** Nothing accepted the connection, so that nothing was sent. */
export function isRefused(failure: Error | undefined): boolean {
  return failure !== undefined && 'code' in failure && failure.code === 'ECONNREFUSED';
}

function withReason(exchange: Exchange, words: string): Exchange {
  if (exchange.kind === 'http') return { ...exchange, response: { ...exchange.response, failure: words } };
  const { upgrade } = exchange;
  return { ...exchange, upgrade: { ...upgrade, response: { ...upgrade.response, failure: words } } };
}
