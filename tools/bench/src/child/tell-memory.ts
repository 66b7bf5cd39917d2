// Loaded into a server before its own code: answers any message of the process that started it with the bytes of memory
// that it takes, and ends with that process.
process.on('message', () => process.send?.(process.memoryUsage.rss()));
process.on('disconnect', () => process.exit());
// The channel alone must not keep the process alive.
process.channel?.unref();
