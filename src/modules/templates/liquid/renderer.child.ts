import { runTemplate, type Job } from './engine.js';

process.on('message', (job: Job) => process.send?.(runTemplate(job)));
process.once('disconnect', () => process.exit());
// A signal to the whole group is the parent's affair: it ends this process by closing the channel.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
process.send?.('ready');
