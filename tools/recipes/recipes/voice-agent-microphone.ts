// # A voice agent: barge-in
// Notices that somebody speaks by how loud the microphone is; the browser takes the agent's own voice out of it.

/** Calls `onVoice` each time somebody begins to speak. */
export async function listenForVoice(onVoice: () => void): Promise<void> {
  const microphone = await navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true },
  });
  const context = new AudioContext();
  const analyser = new AnalyserNode(context, { fftSize: 2048 });
  context.createMediaStreamSource(microphone).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let loud = 0;
  setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    const level = Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);
    // Three times in a row: a cough or a closing door is shorter.
    loud = level > 0.02 ? loud + 1 : 0;
    if (loud === 3) onVoice();
  }, 50);
}
