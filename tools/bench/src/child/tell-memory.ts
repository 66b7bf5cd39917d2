// Loaded into a server before its own code: answers any message of the process that started it with the bytes of memory
// and the microseconds of processor time that it took, and ends with that process.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.([process.memoryUsage.rss(), user + system]);
});
process.on('disconnect', () => process.exit());
// The channel alone must not keep the process alive.
process.channel?.unref();
