/** Functions that close the processes, servers and folders that a suite has opened. */
const closers = new Set();

/** Registers a function that closes a resource at the end; returns a function that closes it now. */
export function registerCleanup(close) {
  const once = async () => {
    if (closers.delete(once)) await close();
  };
  closers.add(once);
  return once;
}

/** Closes everything that is still open, the last opened first. */
export async function closeAll() {
  for (const close of [...closers].toReversed()) {
    await close().catch((error) => process.stderr.write(`not closed: ${error.stack}\n`));
  }
}

/** Closes everything on Ctrl-C and SIGTERM, too. */
export function closeOnSignals() {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => void closeAll().then(() => process.exit(130)));
  }
}
