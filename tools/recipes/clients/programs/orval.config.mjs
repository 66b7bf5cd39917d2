export default {
  speech: {
    input: 'openapi-3.1.json',
    output: { target: 'client.ts', client: 'fetch', baseUrl: { runtime: 'process.env.SPEECH_BASE_URL' } },
  },
};
