/** Loaded into a Bun process before its program: tells its parent what it holds after collecting its garbage, in bytes. */
process.on("message", () => {
  globalThis.Bun.gc(true);
  const { heapUsed, rss } = process.memoryUsage();
  process.send({ heapUsed, rss });
});
process.channel?.unref();
