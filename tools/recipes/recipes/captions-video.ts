// # Speech and its captions as a video
// Makes an mp4 with a sound track and a subtitle track that players can switch on. Needs ffmpeg.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient();
const stream = await client.speech.streamWithTimestamps({
  text: 'The last boat leaves at ten. Bring a coat, because it gets cold on the water.',
  format: 'opus',
});
const { audio, timeline } = await stream.collect();
await writeFile('speech.opus', audio);
await writeFile('captions.srt', timeline.toSrt({ lineLength: 32 }));

await promisify(execFile)('ffmpeg', [
  ...['-loglevel', 'error', '-y'],
  // In place of the blue picture, name a video of your own: -i holiday.mp4
  ...['-f', 'lavfi', '-i', `color=c=0x1d3557:size=640x360:rate=10:duration=${timeline.duration}`],
  ...['-i', 'speech.opus', '-i', 'captions.srt'],
  ...['-map', '0:v', '-map', '1:a', '-map', '2:s'],
  ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-c:s', 'mov_text'],
  ...['-metadata:s:s:0', 'language=eng', 'speech.mp4'],
]);
console.log(`speech.mp4, ${timeline.segments.length} words`);
