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
import { isLoopback } from '../connection/sandbox-address.ts';
import { explainSilence } from './explain-silence.ts';
import type { Explanation, Situation } from './explanation.ts';

/** Turns an error of the client, the stream or the player into words for the reader. */
export function explainError(error: unknown, situation: Situation): Explanation {
  const again = `Press ${situation.action}`;
  const detail = error instanceof Error ? error.message : String(error);
  if (situation.receivedSeconds > 0 && !ApiError.isInstance(error)) {
    return {
      title: `The stream broke off after ${situation.receivedSeconds.toFixed(1)} s`,
      advice: `What had arrived plays to its end and can be saved. ${again} to ask for the whole again.`,
      detail,
    };
  }
  if (ConnectionError.isInstance(error) && situation.answered) {
    return {
      title: 'The connection broke before the answer was complete',
      advice: `Nothing of it can be used. ${again} to ask again.`,
      detail,
    };
  }
  if (ConnectionError.isInstance(error)) return explainSilence(situation, detail);
  if (AuthenticationError.isInstance(error)) {
    return {
      title: 'The key was refused',
      advice: isLoopback(situation.baseUrl)
        ? 'The sandbox takes the key “sandbox-key”. Put it into API key, under Connection.'
        : 'Look at API key, under Connection: is it whole, and is it a key of this service?',
      detail,
      field: 'apiKey',
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
    return { title: 'Too many requests at once', advice: `Wait ${wait}. ${again} to try again.`, detail };
  }
  if (TimeoutError.isInstance(error)) {
    return {
      title: 'No answer in time',
      advice: `The service is slow or stuck. ${again} to try again.`,
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
      field: 'baseUrl',
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
  return { title: 'It did not work', advice: `${again} to try again.`, detail };
}
