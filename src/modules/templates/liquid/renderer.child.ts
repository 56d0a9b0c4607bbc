import { runTemplate } from './engine.js';

/** A template to be parsed, or with variables (JSON) to be rendered. */
export interface Job {
  body: string;
  variables?: string;
}

process.on('message', ({ body, variables }: Job) => process.send?.(runTemplate(body, variables)));
process.once('disconnect', () => process.exit());
// A signal to the whole group is the parent's affair: it ends this process by closing the channel.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
process.send?.('ready');
