import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { registerCleanup } from './opened.mjs';

/** A TCP proxy that can stop forwarding: its connections stay open, but no data passes. */
export class TcpProxy {
  #pairs = new Set();
  #isSilent = false;

  static async to({ host, port }) {
    const proxy = new TcpProxy();
    const server = createServer((near) => proxy.#join(near, { host, port }));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    proxy.port = server.address().port;
    proxy.close = registerCleanup(async () => {
      proxy.cut();
      server.close();
      await once(server, 'close');
    });
    return proxy;
  }

  /** Stops forwarding, on open connections and on new ones. */
  silence() {
    this.#isSilent = true;
    for (const { near, far } of this.#pairs) for (const end of [near, far]) end.unpipe().pause();
  }

  /** Forwards again, beginning with the data that was held back. */
  resume() {
    this.#isSilent = false;
    for (const pair of this.#pairs) this.#forward(pair);
  }

  /** Closes the open connections, and forwards new ones. */
  cut() {
    this.#isSilent = false;
    for (const { near, far } of this.#pairs) for (const end of [near, far]) end.destroy();
  }

  #join(near, target) {
    const pair = { near, far: connect(target) };
    this.#pairs.add(pair);
    for (const end of [pair.near, pair.far]) {
      end.setNoDelay(true).on('error', () => undefined);
      end.once('close', () => {
        this.#pairs.delete(pair);
        pair.near.destroy();
        pair.far.destroy();
      });
    }
    if (this.#isSilent) for (const end of [near, pair.far]) end.pause();
    else this.#forward(pair);
  }

  #forward({ near, far }) {
    near.pipe(far);
    far.pipe(near);
  }
}
