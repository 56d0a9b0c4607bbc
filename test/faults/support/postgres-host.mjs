/** Runs the PostgreSQL of a suite in a separate process; postgres.mjs forks it with the URL of the service's module. */
const [, , url, dataDir, unsafe] = process.argv;
const { startEmbeddedPostgres } = await import(url);

const postgres = await startEmbeddedPostgres({
  dataDir,
  log: (message) => process.stdout.write(`${message}\n`),
  unsafeForTests: unsafe === 'true',
});

// The channel also closes when the suite is killed, so that PostgreSQL does not keep running.
process.once('disconnect', () => void postgres.stop().then(() => process.exit(0)));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
process.send(postgres.connection);
