// Loaded into a server before its own code: answers any message of the process that started it with the memory it takes.
process.on('message', () => {
  process.send?.({ bytes: process.memoryUsage().rss });
});
// The channel alone must not keep the process alive.
process.channel?.unref();
