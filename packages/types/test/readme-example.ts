import { defaultSampleRates, type SynthesisRequest, sampleRates, synthesisDefaults } from '@speech-api/types';

/** The sample rate the answer will have, in Hz. */
export function sampleRateOf(request: SynthesisRequest): number {
  const format = request.format ?? synthesisDefaults.format;
  return request.sample_rate ?? defaultSampleRates[format];
}

const request: SynthesisRequest = { text: 'Good morning.', format: 'opus' };
console.log(`${sampleRateOf(request)} Hz, out of ${sampleRates.opus.join(', ')}`);
