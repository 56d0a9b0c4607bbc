/** The process that holds a suite's PostgreSQL: forked by postgres.mjs, which tells it where the service's module lies. */
const [, , url, dataDir, unsafe] = process.argv;
const { startEmbeddedPostgres } = await import(url);

const postgres = await startEmbeddedPostgres({
  dataDir,
  log: (message) => process.stdout.write(`${message}\n`),
  unsafeForTests: unsafe === 'true',
});

// The channel also closes when the suite is killed, so that nothing stays behind.
process.once('disconnect', () => void postgres.stop().then(() => process.exit(0)));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
process.send(postgres.connection);
