/** Tries ports upwards from `first`, so that a second copy beside a running one simply gets the next. */
export async function onFreePort<Server>(
  first: number,
  listen: (port: number) => Promise<Server>,
  attempts = 20,
): Promise<Server> {
  for (let port = first; ; port++) {
    try {
      return await listen(port);
    } catch (error) {
      if (!isPortTaken(error) || port + 1 >= first + attempts) throw error;
    }
  }
}

function isPortTaken(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && cause.code === 'EADDRINUSE') return true;
  }
  return false;
}
