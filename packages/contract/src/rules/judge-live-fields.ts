import type { Problem } from '../judge/rule.ts';
import type { FieldViolation } from '../specification/field-violations.ts';
import { violationsOfMessage } from '../subjects/fields.ts';
import type { DecodedMessage } from '../subjects/live-session.ts';

/** The violations of the server's messages that a rule speaks about. */
export function judgeFields(
  messages: readonly DecodedMessage[],
  speaksAbout: (violation: FieldViolation) => boolean,
): readonly Problem[] {
  return messages.flatMap(({ index, direction, map }) =>
    direction === 'sent' || map === undefined
      ? []
      : (violationsOfMessage(map) ?? [])
          .filter(speaksAbout)
          .map(({ message, pointer, expected, actual }) => ({
            message: `Message ${index}: ${message}`,
            where: `message ${index} ${pointer}`.trim(),
            ...(expected !== undefined && { expected }),
            ...(actual !== undefined && { actual }),
          })),
  );
}
