import { fork } from 'node:child_process';
import { on } from 'node:events';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { databaseSeconds, machineSeconds, processorSeconds } from './processes.mjs';

/** Controls the load generator, and measures the processor time of the servers. */
export class Generator {
  constructor(postmaster) {
    this.postmaster = postmaster;
    this.child = fork(fileURLToPath(new URL('load.mjs', import.meta.url)), [], { serialization: 'advanced' });
    // Buffers the messages: two that arrive together are emitted before the code that awaits the first continues.
    this.messages = on(this.child, 'message', { close: ['exit'] });
  }

  define(name, kind, requests) {
    return this.call({ type: 'define', name, kind, requests });
  }

  /** Throws if any request failed, because error responses are fast. */
  async run(what) {
    const { servers, ...wanted } = what;
    const pids = servers.map(({ pid }) => pid);
    let begun;
    let spent;
    const { result, error } = await this.call(
      { type: 'run', ...wanted, ports: servers.map(({ port }) => port) },
      (type) => {
        if (type === 'counting') begun = this.usage(pids);
        if (type === 'counted') spent = used(this.usage(pids), begun);
      },
    );
    if (error !== undefined) throw new Error(`${what.name}: ${error}`);
    if (result.refused > 0)
      throw new Error(`${what.name}: ${result.refused} refused; the first: ${result.firstRefusal}`);
    const each = (seconds) => (seconds / result.count) * 1e6;
    const share = (seconds) => seconds / result.lasted / cpus().length;
    const disturbed = { others: share(spent.others), stolen: share(spent.stolen) };
    return { ...result, nodeUs: each(spent.node), databaseUs: each(spent.database), ...disturbed };
  }

  usage(pids) {
    const sum = (of) => of.reduce((total, pid) => total + (processorSeconds(pid) ?? NaN), 0);
    const database = databaseSeconds(this.postmaster);
    return { node: sum(pids), database, ours: sum([this.child.pid, process.pid]), ...machineSeconds() };
  }

  async call(message, note = () => undefined) {
    this.child.send(message);
    for (;;) {
      const { done, value } = await this.messages.next();
      if (done) throw new Error('The load generator has ended.');
      const [response] = value;
      if (response.type === 'result') return response;
      note(response.type);
    }
  }

  stop() {
    this.child.disconnect();
  }
}

/** The processor time between two samples. Does not include processes that ended in between. */
function used(after, before) {
  const since = (name) => after[name] - before[name];
  const each = [...after.database].map(([pid, seconds]) => seconds - (before.database.get(pid) ?? 0));
  const database = each.length === 0 ? NaN : each.reduce((sum, seconds) => sum + seconds, 0);
  const others = since('busy') - since('node') - since('ours') - database;
  return { node: since('node'), database, others, stolen: since('stolen') };
}
