import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';

export const mediaTypeDocumented: Rule<Answer> = {
  id: 'media-type-documented',
  judge: ({ operation, documented, mediaType, body, isSuccess, headers }) => {
    if (operation === undefined || documented === undefined || !isSuccess || body.length === 0)
      return undefined;
    const types = [...documented.content.keys()];
    // Where no body is documented any is tolerated; audio may be called plain bytes, of which a rule of its own speaks.
    if (types.length === 0) return undefined;
    const isAudio = types.some((type) => type.startsWith('audio/'));
    const expected = types.join(' or ');
    return unless(
      mediaType !== undefined &&
        (types.includes(mediaType) || (isAudio && mediaType === 'application/octet-stream')),
      {
        message: `The body is called ${JSON.stringify(headers['content-type'] ?? '')}, not ${expected}.`,
        where: 'header content-type',
        expected,
        actual: headers['content-type'] ?? 'none',
      },
    );
  },
};
