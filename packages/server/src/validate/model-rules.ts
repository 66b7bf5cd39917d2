import { type CreateModelRequest, createModelDefaults } from '@speech-api/types';
import { Refusal } from '../refuse/refusal.ts';

/**
 * Checks what the schema of a new voice model cannot express: a public one needs a cover image, and there are
 * no more texts than recordings they could belong to.
 *
 * @throws Refusal `model-rule`
 */
export function refuseBrokenModelRule({
  visibility,
  cover_image,
  texts = [],
  voices,
}: CreateModelRequest): void {
  if ((visibility ?? createModelDefaults.visibility) === 'public' && cover_image === undefined) {
    const message =
      'cover_image is required for a public voice model; send one, or set visibility to unlist or private';
    throw new Refusal('model-rule', { message });
  }
  const recordings = [voices].flat().length;
  if (texts.length > recordings) {
    const message = `texts has ${texts.length} entries but voices has ${recordings}; send at most one text per recording, in the same order`;
    throw new Refusal('model-rule', { message });
  }
}
