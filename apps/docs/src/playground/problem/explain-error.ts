import {
  ApiError,
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  InsufficientCreditError,
  RequestError,
  TimeoutError,
  TooManyRequestsError,
} from '@speech-api/client';
import { isLoopback } from './sandbox-address.ts';

/** What went wrong and what the reader can do about it. */
export interface Explanation {
  readonly title: string;
  readonly advice: string;
  /** A command to type, where one helps. */
  readonly command?: string;
  /** The details, for those who look further. */
  readonly detail?: string;
}

/** What was going on when the error came. */
export interface Situation {
  readonly baseUrl: string;
  /** Seconds of audio that had arrived. */
  readonly receivedSeconds: number;
}

/** Turns an error of the client, the stream or the player into words for the reader. */
export function explainError(error: unknown, situation: Situation): Explanation {
  const detail = error instanceof Error ? error.message : String(error);
  if (situation.receivedSeconds > 0 && !ApiError.isInstance(error)) {
    return {
      title: `The stream broke off after ${situation.receivedSeconds.toFixed(1)} s`,
      advice:
        'What had arrived plays to its end and can be saved. Press Speak to ask for the whole text again.',
      detail,
    };
  }
  if (ConnectionError.isInstance(error)) return explainSilence(situation.baseUrl, detail);
  if (AuthenticationError.isInstance(error)) {
    return {
      title: 'The key was refused',
      advice: isLoopback(situation.baseUrl)
        ? 'The sandbox takes the key “sandbox-key”. Put it into API key, under Connection.'
        : 'Look at API key, under Connection: is it whole, and is it a key of this service?',
      detail,
    };
  }
  if (InsufficientCreditError.isInstance(error)) {
    return {
      title: 'The credit is used up',
      advice: 'The key is right, but its account has no credit left.',
      detail,
    };
  }
  if (TooManyRequestsError.isInstance(error)) {
    const wait = error.retryAfterSeconds === undefined ? 'a moment' : `${error.retryAfterSeconds} s`;
    return { title: 'Too many requests at once', advice: `Wait ${wait}, then press Speak again.`, detail };
  }
  if (TimeoutError.isInstance(error)) {
    return {
      title: 'No answer in time',
      advice: 'The service is slow or stuck. Press Speak to try again.',
      detail,
    };
  }
  if (RequestError.isInstance(error)) {
    return {
      title: `This cannot work: ${error.field}`,
      advice: 'Nothing was sent. Change it and try again.',
      detail,
    };
  }
  if (ConfigurationError.isInstance(error)) {
    return {
      title: 'The connection settings cannot work',
      advice: 'Look at the fields under Connection.',
      detail,
    };
  }
  if (ApiError.isInstance(error)) {
    const issues = error.issues.map((issue) => `${issue.loc.join('.')}: ${issue.msg}`);
    return {
      title: `The service refused with ${error.status}`,
      advice: issues.length > 0 ? issues.join('\n') : detail,
      ...(error.traceId === undefined ? {} : { detail: `trace ${error.traceId}` }),
    };
  }
  return { title: 'It did not work', advice: 'Press Speak to try again.', detail };
}

function explainSilence(baseUrl: string, detail: string): Explanation {
  if (isLoopback(baseUrl)) {
    return {
      title: `No sandbox answers at ${baseUrl}`,
      advice: 'Start it from a clone of the repository, then press Speak again:',
      command: `npm run sandbox -- --port ${new URL(baseUrl).port || '80'}`,
      detail,
    };
  }
  return {
    title: `No answer from ${baseUrl}`,
    advice:
      'Is the address right? A service that does not allow this page’s origin looks the same to a browser.',
    detail,
  };
}
