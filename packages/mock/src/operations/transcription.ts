import { mediaTypes, type TranscriptionRequest, transcriptionDefaults } from '@speech-api/types';
import { documentedAnswer, documentedExamples } from '../prism/answers.ts';
import type { OperationHandler } from './context.ts';
import { sendDocumented } from './send-documented.ts';

/** `POST /v1/asr`: the document's example with segments, or the one without, as the request asks (section 2.5). */
export const createTranscription: OperationHandler = (context) => {
  const { call, preferences } = context;
  const request = { ...transcriptionDefaults, ...(call.body as TranscriptionRequest) };
  if (preferences.code !== undefined || preferences.example !== undefined) return sendDocumented(context);
  const fitting = (documentedExamples(call.operation.id).get('200') ?? []).find((example) => {
    const { body } = documentedAnswer(call.operation.id, {
      code: '200',
      example,
      mediaType: mediaTypes.json,
    });
    const timed = (body as { readonly segments: readonly unknown[] }).segments.length > 0;
    return timed === !request.ignore_timestamps;
  });
  return sendDocumented(context, fitting === undefined ? {} : { example: fitting });
};
