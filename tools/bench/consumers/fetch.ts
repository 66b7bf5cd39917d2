// The smallest caller without any library, which the type-check row subtracts.
export async function speak(baseUrl: string, apiKey: string): Promise<number> {
  const response = await fetch(`${baseUrl}/v1/tts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, model: 's2-pro', 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Hello.', format: 'wav' }),
  });
  const audio = await response.arrayBuffer();
  const listed = await fetch(`${baseUrl}/model?self=true`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const models: unknown = await listed.json();
  return audio.byteLength + JSON.stringify(models).length;
}
