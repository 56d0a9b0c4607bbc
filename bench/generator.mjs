import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { databaseSeconds, processorSeconds } from './processes.mjs';

/** Drives the load generator, and looks at what the servers use meanwhile. */
export class Generator {
  constructor(postmaster) {
    this.postmaster = postmaster;
    this.child = fork(fileURLToPath(new URL('load.mjs', import.meta.url)), [], { serialization: 'advanced' });
  }

  define(name, kind, requests) {
    return this.call({ type: 'define', name, kind, requests });
  }

  /** Fails where anything was refused: a server that refuses is fast. */
  async run(what) {
    const { servers, ...wanted } = what;
    const pids = servers.map(({ pid }) => pid);
    let begun;
    let used;
    const { result, error } = await this.call(
      { type: 'run', ...wanted, ports: servers.map(({ port }) => port) },
      (type) => {
        if (type === 'counting') begun = this.usage(pids);
        if (type === 'counted') used = difference(this.usage(pids), begun);
      },
    );
    if (error !== undefined) throw new Error(`${what.name}: ${error}`);
    if (result.refused > 0)
      throw new Error(`${what.name}: ${result.refused} refused; the first: ${result.firstRefusal}`);
    return { ...result, nodeUs: (used.node / result.count) * 1e6, databaseUs: (used.database / result.count) * 1e6 };
  }

  usage(pids) {
    return {
      node: pids.reduce((sum, pid) => sum + (processorSeconds(pid) ?? NaN), 0),
      database: databaseSeconds(this.postmaster) ?? NaN,
    };
  }

  async call(message, note = () => undefined) {
    this.child.send(message);
    for (;;) {
      const [answer] = await once(this.child, 'message');
      if (answer.type === 'result') return answer;
      note(answer.type);
    }
  }

  stop() {
    this.child.disconnect();
  }
}

const difference = (after, before) => ({ node: after.node - before.node, database: after.database - before.database });
