/** The key of `Authorization: Bearer <key>`, or `undefined` when the header has another form. */
export function readBearerKey(header: string | undefined): string | undefined {
  return /^Bearer +([\w\-.~+/]+=*) *$/i.exec(header ?? '')?.[1];
}
