type Given<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
} & { [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name] };

/** The fields that have a value: what was not given is left out of a request. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Given<Fields>;
}
