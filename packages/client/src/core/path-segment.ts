import { RequestError } from '../errors/request-error.ts';

/**
 * The value of a part of a path. Refuses the three that no encoding keeps in their place: nothing, `.` and `..` lead to
 * another path, where a DELETE may do harm.
 */
export function pathSegment<Name extends string>(field: Name, value: string): Record<Name, string> {
  if (/^\.{0,2}$/.test(value)) throw new RequestError(`${field} cannot be "${value}"`, { field });
  return { [field]: value } as Record<Name, string>;
}
