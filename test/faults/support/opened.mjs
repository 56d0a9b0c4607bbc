/** What a suite has opened (processes, servers, folders), so that nothing stays behind however it ends. */
const closers = new Set();

/** Remembers how to close what was just opened; answers with a function that closes it now. */
export function opened(close) {
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

/** Lets Ctrl-C and SIGTERM leave nothing behind either. */
export function closeOnSignals() {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => void closeAll().then(() => process.exit(130)));
  }
}
