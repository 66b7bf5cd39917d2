import { type Rule, unless } from '../../judge/rule.ts';
import type { Timestamps } from '../../subjects/timestamps.ts';

export const contentBelongsToTheChunk: Rule<Timestamps> = {
  id: 'content-belongs-to-the-chunk',
  judge: ({ events }) => {
    const contents = new Map<number, string>();
    return events.flatMap(({ index, chunkSeq, content, alignment }) => {
      if (chunkSeq === undefined || content === undefined || !alignment) return [];
      const where = `event ${index} /content`;
      if (content.trim() === '' && alignment.segments.length > 0) {
        return [{ message: `Event ${index} has segments and no content that they describe.`, where }];
      }
      const first = contents.get(chunkSeq);
      contents.set(chunkSeq, first ?? content);
      return unless(first === undefined || first === content, {
        message: `Event ${index} has another content for chunk ${chunkSeq} than an event before it.`,
        where,
        expected: (first ?? '').slice(0, 80),
        actual: content.slice(0, 80),
      });
    });
  },
};
