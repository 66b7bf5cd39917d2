/** Advice on each error of the client, in Markdown. */
export const errorAdvice: Readonly<Record<string, string>> = {
  ConfigurationError:
    'Pass the option that the message names, or set the environment variable that it names. In a browser, keep the key on your own server.',
  RequestError:
    'Change the field in `field`. Nothing was sent and nothing is billed, so the corrected call is the first one.',
  ConnectionError:
    'Check the base URL, the network and, on your own machine, that the sandbox runs. A GET is retried automatically. Before you repeat a POST think of the bill, because the first one may have been done.',
  TimeoutError:
    'See which `phase` took too long, and raise that deadline alone. Long texts need a long `total`; a slow first byte is helped by `latency: "low"`.',
  TrainingError:
    'Check the recordings: they must be clean speech of one voice. Then create the voice model again.',
  AbortError:
    'Nothing, if your code aborted on purpose. Otherwise look at `cause`: the signal that your code passed may have a time limit.',
  ProtocolError:
    'Check the base URL first: it often leads to a proxy or a login page. If the audio was cut, call again; the part that arrived is not a success.',
  ApiError:
    'A status without a class of its own, such as 405. `body` has what the service said, `traceId` is what its support asks for.',
  BadRequestError:
    'Read the message: it names the voice, the rate or the length. Voices are listed by `client.models.list()`; the rules between fields are in the reference.',
  AuthenticationError:
    'Check `SPEECH_API_KEY`. The key of the sandbox is `sandbox-key`. A key of one service does not work with another.',
  InsufficientCreditError:
    'Read the credit with `client.wallet.getApiCredit()`, and add to it. Repeating the call changes nothing.',
  PermissionDeniedError:
    'Use a key of the owner. On your own machine, 403 also comes for a page of another origin: start the server with `--allow-origin`.',
  NotFoundError: 'Check the id. A voice model that was deleted is gone for good.',
  PayloadTooLargeError:
    'Send less: fewer or shorter samples of a voice, a recording cut into parts. MessagePack is a third smaller than base64.',
  UnsupportedMediaTypeError:
    'Send one of the media types that the operation lists. Our client chooses it automatically.',
  InvalidRequestError: 'Each of `issues` names a field in `loc` and what is wrong with it in `msg`.',
  TooManyRequestsError:
    'Wait for a call to end: the limit counts calls under way. `concurrency` of the client keeps below it automatically; `retryAfterSeconds` says how long to wait if the service says so.',
  ServerError: 'Wait and call again, with a growing pause. If it continues, send the `traceId` to support.',
};
