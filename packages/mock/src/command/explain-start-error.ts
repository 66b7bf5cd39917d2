/** Says what to do about a start that failed. */
export function explainStartError(
  error: unknown,
  { port, host }: { readonly port: number; readonly host: string },
): string {
  switch ((error as NodeJS.ErrnoException | undefined)?.code) {
    case 'EADDRINUSE':
      return `Port ${port} is taken. Stop what listens there, or choose another: --port ${port + 1}, or --port 0 for any free one.`;
    case 'EACCES':
      return `Port ${port} may not be used without more rights. Choose one above 1023, or --port 0 for any free one.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is no address of this machine. Choose another with --host, such as 127.0.0.1.`;
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
