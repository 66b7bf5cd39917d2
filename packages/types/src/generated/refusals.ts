/** First version, written by hand until the generator takes over; the names stay. */
import type { Refusal } from '../rule-data.ts';

export const refusals: readonly Refusal[] = [
  {
    "id": "foreign-host",
    "status": 403,
    "body": "general",
    "stage": "head",
    "when": "the Host header is none of the names this server answers to; keeps a page from reaching a local server through a name of its own",
    "section": "7",
    "provenance": {
      "unknown": "cross-origin",
      "from": "assumed"
    }
  },
  {
    "id": "foreign-origin",
    "status": 403,
    "body": "general",
    "stage": "head",
    "when": "the Origin header names a site that is neither loopback nor allowed",
    "section": "7",
    "provenance": {
      "unknown": "cross-origin",
      "from": "assumed"
    }
  },
  {
    "id": "unknown-path",
    "status": 404,
    "body": "general",
    "stage": "head",
    "when": "no operation has this path",
    "section": "4",
    "provenance": {
      "unknown": "error-statuses",
      "from": "public"
    }
  },
  {
    "id": "unknown-method",
    "status": 405,
    "body": "general",
    "stage": "head",
    "when": "the path exists, not with this method; the allow header lists those it has",
    "section": "4",
    "provenance": {
      "unknown": "error-statuses",
      "from": "public"
    }
  },
  {
    "id": "key-missing",
    "status": 401,
    "body": "general",
    "stage": "head",
    "when": "there is no Authorization header of the form \"Bearer <API_KEY>\"",
    "section": "5",
    "provenance": {
      "unknown": "error-statuses",
      "from": "public"
    }
  },
  {
    "id": "key-unknown",
    "status": 401,
    "body": "general",
    "stage": "head",
    "when": "the key is not one the server knows",
    "section": "5",
    "provenance": {
      "unknown": "error-statuses",
      "from": "public"
    }
  },
  {
    "id": "forbidden",
    "status": 403,
    "body": "general",
    "stage": "head",
    "when": "the key is good but may not do this: a private voice model or a wallet of somebody else",
    "section": "5",
    "applies_to": [
      "getModel",
      "updateModel",
      "deleteModel",
      "getApiCredit",
      "getPackage",
      "openLiveSession"
    ],
    "provenance": {
      "unknown": "error-statuses",
      "from": "public"
    }
  },
  {
    "id": "concurrency",
    "status": 429,
    "body": "general",
    "stage": "head",
    "when": "as many requests of this account are under way as its tier allows",
    "section": "8",
    "provenance": {
      "unknown": "rate-limits",
      "from": "public"
    }
  },
  {
    "id": "credit",
    "status": 402,
    "body": "general",
    "stage": "head",
    "when": "the account has no credit left; checked before the parameters",
    "section": "7",
    "applies_to": [
      "createSpeech",
      "streamSpeechWithTimestamps",
      "createTranscription",
      "openLiveSession"
    ],
    "provenance": {
      "unknown": "error-statuses",
      "from": "public"
    }
  },
  {
    "id": "media-type",
    "status": 415,
    "body": "general",
    "stage": "head",
    "when": "the Content-Type is none that the operation takes; the message lists those it does",
    "section": "4",
    "applies_to": [
      "createSpeech",
      "streamSpeechWithTimestamps",
      "createTranscription",
      "createModel",
      "updateModel"
    ],
    "provenance": {
      "unknown": "error-statuses",
      "from": "public"
    }
  },
  {
    "id": "body-too-large",
    "status": 413,
    "body": "general",
    "stage": "body",
    "when": "the body is over the limit; refused by its Content-Length, or while it arrives when there is none",
    "section": "8",
    "applies_to": [
      "createSpeech",
      "streamSpeechWithTimestamps",
      "createTranscription",
      "createModel",
      "updateModel"
    ],
    "provenance": {
      "unknown": "synthesis-request-size",
      "from": "assumed"
    }
  },
  {
    "id": "file-too-large",
    "status": 413,
    "body": "general",
    "stage": "body",
    "when": "the audio file is over 20 MB (refused above 20 971 520 bytes, so that nobody is refused for the unit)",
    "section": "8",
    "applies_to": [
      "createTranscription"
    ],
    "provenance": {
      "unknown": "error-statuses",
      "from": "public"
    }
  },
  {
    "id": "malformed-body",
    "status": 422,
    "body": "validation",
    "stage": "content",
    "when": "the body cannot be decoded as its Content-Type says; one entry with loc [\"body\"]",
    "issue_types": [
      "json_invalid",
      "msgpack_invalid",
      "multipart_invalid",
      "urlencoded_invalid"
    ],
    "section": "7",
    "applies_to": [
      "createSpeech",
      "streamSpeechWithTimestamps",
      "createTranscription",
      "createModel",
      "updateModel"
    ],
    "provenance": {
      "unknown": "malformed-body",
      "from": "assumed"
    }
  },
  {
    "id": "schema",
    "status": 422,
    "body": "validation",
    "stage": "content",
    "when": "a parameter, a header or the decoded body breaks its schema; one entry for each thing that is wrong, with `in` on model endpoints",
    "section": "7",
    "provenance": {
      "unknown": "error-statuses",
      "from": "public"
    }
  },
  {
    "id": "rule",
    "status": 400,
    "body": "general",
    "stage": "content",
    "when": "the schema holds but a rule of synthesis.yaml does not; the message is that of the first broken rule",
    "section": "7",
    "applies_to": [
      "createSpeech",
      "streamSpeechWithTimestamps",
      "openLiveSession"
    ],
    "provenance": {
      "unknown": "error-statuses",
      "from": "public"
    }
  },
  {
    "id": "text-too-long",
    "status": 400,
    "body": "general",
    "stage": "content",
    "when": "the text has more code points than the server takes",
    "section": "8",
    "applies_to": [
      "createSpeech",
      "streamSpeechWithTimestamps",
      "openLiveSession"
    ],
    "provenance": {
      "unknown": "text-length-limit",
      "from": "assumed"
    }
  },
  {
    "id": "audio-unreadable",
    "status": 400,
    "body": "general",
    "stage": "work",
    "when": "an audio file or a reference sample is in no format the server reads, or is damaged",
    "section": "4.3",
    "applies_to": [
      "createSpeech",
      "streamSpeechWithTimestamps",
      "createTranscription",
      "createModel",
      "openLiveSession"
    ],
    "provenance": {
      "unknown": "error-statuses",
      "from": "public"
    }
  },
  {
    "id": "audio-length",
    "status": 400,
    "body": "general",
    "stage": "work",
    "when": "the audio is shorter than 1 second or longer than 60 minutes, both ends allowed",
    "section": "8",
    "applies_to": [
      "createTranscription"
    ],
    "provenance": {
      "unknown": "error-statuses",
      "from": "public"
    }
  },
  {
    "id": "unknown-voice",
    "status": 400,
    "body": "general",
    "stage": "work",
    "when": "reference_id names a voice model that does not exist or that the key may not use",
    "section": "7",
    "applies_to": [
      "createSpeech",
      "streamSpeechWithTimestamps",
      "openLiveSession"
    ],
    "provenance": {
      "unknown": "error-statuses",
      "from": "public"
    }
  },
  {
    "id": "not-found",
    "status": 404,
    "body": "general",
    "stage": "work",
    "when": "the voice model or the user of the path does not exist, or was deleted",
    "section": "4.4",
    "applies_to": [
      "getModel",
      "updateModel",
      "deleteModel",
      "getApiCredit",
      "getPackage"
    ],
    "provenance": {
      "unknown": "error-statuses",
      "from": "public"
    }
  },
  {
    "id": "overloaded",
    "status": 503,
    "body": "general",
    "stage": "work",
    "when": "the server has no room for the work now; the same request may succeed later",
    "section": "7",
    "provenance": {
      "unknown": "error-statuses",
      "from": "public"
    }
  },
  {
    "id": "fault",
    "status": 500,
    "body": "general",
    "stage": "work",
    "when": "the server failed; nothing is wrong with the request",
    "section": "7",
    "provenance": {
      "unknown": "error-statuses",
      "from": "public"
    }
  }
];
