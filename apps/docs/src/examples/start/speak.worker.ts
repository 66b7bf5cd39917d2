import { ApiError, createSpeechClient } from '@speech-api/client';

interface Environment {
  SPEECH_API_KEY: string;
  SPEECH_BASE_URL: string;
}

export default {
  async fetch(
    request: Request,
    environment: Environment,
  ): Promise<Response> {
    const client = createSpeechClient({
      apiKey: environment.SPEECH_API_KEY,
      baseUrl: environment.SPEECH_BASE_URL,
    });
    const text =
      new URL(request.url).searchParams.get('text') ?? 'Good morning.';
    try {
      const speech = await client.speech.create(
        { text },
        { signal: request.signal },
      );
      // The audio is passed on while it is being made; nothing is held in memory.
      return new Response(speech.body, {
        headers: { 'content-type': speech.contentType },
      });
    } catch (error) {
      if (!ApiError.isInstance(error)) throw error;
      return Response.json(
        { status: error.status, traceId: error.traceId },
        { status: 502 },
      );
    }
  },
};
