/** Called by orval's client in place of fetch: adds the address and the key, and reads audio as bytes instead of JSON. */
export async function speechFetch<T>(path: string, options: RequestInit): Promise<T> {
  const headers = new Headers(options.headers);
  headers.set('authorization', `Bearer ${process.env.SPEECH_API_KEY}`);
  const answer = await fetch(new URL(path, process.env.SPEECH_BASE_URL), { ...options, headers });
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  const data = isJson ? await answer.json() : await answer.blob();
  return { data, status: answer.status, headers: answer.headers } as T;
}
