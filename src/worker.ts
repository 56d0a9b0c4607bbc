import 'reflect-metadata';
import { readSettings } from './platform/config/read-settings.js';
import { SettingsReload } from './platform/config/reload-settings.js';
import { makeLog } from './platform/logging/log.js';
import { METRICS_TYPE } from './platform/metrics/metrics.js';
import { currentEnvironment } from './platform/process/command.js';
import { explain } from './platform/process/explain.js';
import { requireDatabase } from './platform/process/external-database.js';
import { Shutdown } from './platform/process/shutdown.js';
import { WorkerLink } from './platform/process/worker-link.js';
import type { WorkerStart } from './platform/process/worker-messages.js';
import { SCHEMA } from './schema.js';
import { serve } from './serve.js';

/** A process that serves requests beside others on the same port; main.ts starts, replaces and stops them. */
const link = new WorkerLink();
const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);

async function run({ number, connection, dataDir, poolSize, original, isReloaded }: WorkerStart): Promise<void> {
  // The environment is that of the start with `.env`, so that a worker that replaces another one has the same settings.
  const settings = readSettings(process.env, { serves: true });
  const log = makeLog(settings.LOG_LEVEL, { isTerminal: process.stdout.isTTY, worker: number });
  const shutdown = new Shutdown(
    (problem) => log.fatal({ err: problem }, 'unexpected error'),
    (code) => process.exit(code),
  );
  const settingsReload = new SettingsReload(settings, log);
  // After the reload has noted what was set, or it would take these for changes.
  Object.assign(settings, { DATA_DIR: dataDir, DATABASE_POOL: poolSize });
  const reload = (): void => settingsReload.apply(currentEnvironment(original));
  shutdown.listen({ hasTerminal, reload });
  link.onSignals({ stop: () => void shutdown.end(0), reload });
  const start = async (): Promise<void> => {
    const timeoutMs = settings.DATABASE_WAIT_SECONDS * 1_000;
    await requireDatabase(connection, SCHEMA, (message) => log.warn(message), timeoutMs);
    const metricsOfAll = { contentType: METRICS_TYPE, text: () => link.metrics() };
    const onRefused = (): void => link.refused();
    const hasSuccessor = (): boolean => link.hasSuccessor;
    const options = { settings, connection, log, shutdown, onRefused, metricsOfAll, hasSuccessor };
    const { started, metrics } = await serve(options);
    link.onMeasure(() => metrics.text());
    log.info(`worker ${number} of process ${process.pid} listens`);
    link.ready(started);
    if (isReloaded) reload();
  };
  await shutdown.during(start()).catch(async (error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    await shutdown.end(1);
  });
}

await run(await link.start());
