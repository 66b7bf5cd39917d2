import { ApiError, AuthenticationError, ConfigurationError, ConnectionError } from '@speech-api/client';
import { withBase } from '../navigation/with-base.ts';
import { errorAdvice } from '../reference/error-advice.ts';
import { AddressError, isLoopback } from './connection/address.ts';

/** Explanation of an error: what went wrong and what the reader can do about it. */
export interface Explanation {
  readonly title: string;
  readonly advice: string;
  /** A command to type, where one helps. */
  readonly command?: string;
  /** The name of the error, which has a place on the page of errors. */
  readonly errorName?: string;
  /** Technical details. */
  readonly detail?: string;
  /** The field to change. */
  readonly field?: 'baseUrl' | 'apiKey' | 'path';
}

/** Circumstances of an error. */
export interface Situation {
  readonly baseUrl: string;
  /** The label of the button that begins again. */
  readonly action: string;
  /** The answer had begun. */
  readonly answered?: boolean;
  /** Seconds of audio that had arrived. */
  readonly receivedSeconds?: number;
  /** Something answers at the base URL, only not to this page. */
  readonly isThere?: boolean;
  /** Address of the page that called. */
  readonly pageUrl?: string;
}

/** Turns an error of the client, the stream or the player into words for the reader. Most say it well themselves. */
export function explainError(error: unknown, situation: Situation): Explanation {
  const { baseUrl, action, answered = false, receivedSeconds = 0 } = situation;
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof AddressError) {
    const { field } = error;
    const place = field === 'path' ? 'path' : 'address';
    return { title: `This ${place} cannot be called`, advice: `${detail} Nothing was sent.`, field };
  }
  if (ConfigurationError.isInstance(error))
    return { title: 'This cannot be sent', advice: `${detail} Nothing was sent.`, field: 'apiKey' };
  if (ConnectionError.isInstance(error) && !answered) return { detail, ...explainSilence(situation) };
  if (AuthenticationError.isInstance(error)) {
    const advice = isLoopback(baseUrl)
      ? 'The sandbox takes the key “sandbox-key”. Put it into API key, under Connection.'
      : 'Look at API key, under Connection: is it whole, and is it a key of this service?';
    return { title: 'The key was refused', advice, detail, field: 'apiKey' };
  }
  if (ApiError.isInstance(error)) return { ...explainRefusal(error.status, error.name), detail };
  if (receivedSeconds > 0) {
    return {
      title: `The stream broke off after ${receivedSeconds.toFixed(1)} s`,
      advice: `What had arrived plays to its end and can be saved. Press ${action} to ask for the whole again.`,
      detail,
    };
  }
  if (answered) return { title: 'The answer cannot be read to its end', advice: detail };
  return { title: 'It did not work', advice: detail };
}

/** Explains a refusal by what the page of errors says about it. */
export function explainRefusal(status: number, errorName: string): Explanation {
  const advice = errorAdvice[errorName] ?? '';
  return { title: `The service refused with ${status}`, advice: advice.replaceAll('`', ''), errorName };
}

/**
 * Explains a call that got no answer. A browser tells a page nothing about the reason, so the page goes by the two
 * addresses: where it comes from, and where it called.
 */
export function explainSilence(situation: Situation): Explanation {
  const { baseUrl, action, isThere = false, pageUrl = location.href } = situation;
  const { origin, host } = new URL(pageUrl);
  if (isThere) {
    return {
      title: `${new URL(baseUrl).origin} is there, but this page gets no answer from it`,
      advice: `Most likely it does not allow the origin of this page, ${origin}; or it broke the connection. A sandbox allows it with --allow-origin ${origin}.`,
    };
  }
  if (!isLoopback(baseUrl)) {
    return {
      title: `No answer from ${baseUrl}`,
      advice:
        'Is the address right, and is this machine online? This page can call https addresses, http://127.0.0.1 and http://localhost, and nothing else.',
      field: 'baseUrl',
    };
  }
  const command = `npm run sandbox -- --port ${new URL(baseUrl).port || '80'}`;
  if (isLoopback(origin)) {
    return {
      title: `No sandbox answers at ${baseUrl}`,
      advice: `Start it from a clone of the repository, then press ${action} again:`,
      command,
    };
  }
  return {
    title: `No sandbox answers at ${baseUrl}, or the browser holds the call back`,
    advice: `This page comes from ${host}; the sandbox is on your machine. Three things are needed:
1. A sandbox that allows this page, started from a clone of the repository with the command below.
2. Permission to call your own network: Chrome and Edge ask for it once; it can be given later in the settings of this site, at the left of the address.
3. A browser that lets an https page call 127.0.0.1: Chrome, Edge and Firefox do, Safari does not.
Or leave all that out: “npm start” in the clone serves this very site beside its sandbox.`,
    command: `${command} --allow-origin ${origin}`,
  };
}

const fieldNames = { baseUrl: 'address', apiKey: 'key', path: 'path' };

/**
 * Shows what went wrong, or nothing. The element is an alert: what is put into it is read out.
 *
 * @param show opens the field that is to be changed
 */
export function showProblem(
  root: HTMLElement,
  explanation: Explanation | undefined,
  show: (field: keyof typeof fieldNames) => void = () => {},
): void {
  root.hidden = explanation === undefined;
  root.replaceChildren();
  if (!explanation) return;
  const { title, advice, command, errorName, detail, field } = explanation;
  const add = (name: string, text: string): HTMLElement => {
    const element = document.createElement(name);
    element.textContent = text;
    root.append(element);
    return element;
  };
  add('strong', title);
  add('p', advice);
  if (command !== undefined) add('code', command);
  if (errorName !== undefined) {
    const link = add('a', `More about ${errorName}`);
    link.setAttribute('href', withBase(`/errors/#${errorName.toLowerCase()}`));
  }
  if (detail !== undefined) add('small', detail);
  if (field === undefined) return;
  const button = add('button', `Change the ${fieldNames[field]}`);
  button.setAttribute('type', 'button');
  button.className = 'button';
  button.addEventListener('click', () => show(field));
}
