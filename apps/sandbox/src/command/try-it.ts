/** A command that speaks, ready to be copied: two lines of one command. */
export function tryIt(url: string): string[] {
  return [
    `curl ${url}/v1/tts -H 'authorization: Bearer sandbox-key' -H 'model: s2-pro' \\`,
    `  -H 'content-type: application/json' -d '{"text":"Hello."}' --output hello.mp3`,
  ];
}
