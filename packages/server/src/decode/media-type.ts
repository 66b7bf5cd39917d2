import { MIMEType } from 'node:util';
import { DecodeFailure } from './failure.ts';

/**
 * Finds which of an operation's media types a request's `Content-Type` names.
 *
 * @param header the header as it came; parameters such as the boundary are ignored, but a charset other than
 * UTF-8 and a content coding are not
 * @throws {@link DecodeFailure} naming the media types that are accepted
 */
export function chooseMediaType<Accepted extends string>(
  header: string | undefined,
  accepted: readonly Accepted[],
  contentEncoding?: string,
): Accepted {
  const wanted = accepted.join(' or ');
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    throw unsupported(
      `\`Content-Encoding: ${contentEncoding}\` is not accepted; send the body as it is.`,
      wanted,
    );
  }
  if (header === undefined) {
    throw unsupported(`The request has no \`Content-Type\`; send ${wanted}.`, wanted);
  }
  let parsed: MIMEType;
  try {
    parsed = new MIMEType(header);
  } catch {
    throw unsupported(`\`Content-Type: ${header}\` is not a media type; send ${wanted}.`, wanted);
  }
  const found = accepted.find((each) => each === parsed.essence);
  if (found === undefined) {
    throw unsupported(`\`Content-Type: ${parsed.essence}\` is not accepted here; send ${wanted}.`, wanted);
  }
  const charset = parsed.params.get('charset')?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw unsupported(`The charset ${charset} is not accepted; send UTF-8.`, wanted);
  }
  return found;
}

function unsupported(message: string, context: string): DecodeFailure {
  return new DecodeFailure({
    refusal: 'media-type',
    type: 'media_type',
    message,
    context,
  });
}
