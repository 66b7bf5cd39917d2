import type { Problem } from '../../judge/rule.ts';
import { type Rule, unless } from '../../judge/rule.ts';
import { isObject } from '../../specification/document.ts';
import { show } from '../../specification/field-violations.ts';
import type { Timestamps } from '../../subjects/timestamps.ts';

export const onePayloadAnEvent: Rule<Timestamps> = {
  id: 'one-payload-an-event',
  judge: ({ raw, isWhole }) => {
    const broken = raw.events.flatMap(({ index, name, dataLines, lines, payload }): Problem[] => {
      const where = `event ${index}`;
      if (dataLines.length !== 1)
        return [
          {
            message: `Event ${index} has ${dataLines.length} data lines.`,
            where,
            expected: '1',
            actual: String(dataLines.length),
          },
        ];
      if (name !== 'message')
        return [
          {
            message: `Event ${index} is called ${JSON.stringify(name)}, not message.`,
            where,
            expected: 'message',
            actual: name,
          },
        ];
      if (!lines.some((line) => line.startsWith('data: ')))
        return [{ message: `Event ${index} has no blank after "data:".`, where }];
      if (!('value' in payload))
        return [{ message: `The data of event ${index} is no payload: ${payload.problem}.`, where }];
      return isObject(payload.value)
        ? []
        : [{ message: `The data of event ${index} is no object.`, where, actual: show(payload.value) }];
    });
    const loose: Problem[] = [
      ...unless(raw.isUtf8, { message: 'The stream is not UTF-8.' }),
      ...unless(raw.blocksWithoutData === 0, {
        message: `${raw.blocksWithoutData} events have no data line.`,
      }),
      ...unless(raw.rest.trim() === '' || !isWhole, {
        message: 'The body ends inside an event, without a blank line after it.',
        actual: raw.rest.slice(0, 60),
      }),
    ];
    return [...broken, ...loose];
  },
};
