import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes connections without a request in progress while there are more than `crowded`, so that a client with many idle
 * connections does not keep others from connecting. The address with the most idle connections loses the one that has been
 * idle longest; behind a proxy, all have its address.
 */
export function closeIdleWhenCrowded(server: Server, crowded: number): void {
  const idle = new IdleConnections();
  let open = 0;
  server.on('connection', (socket: Socket) => {
    open += 1;
    idle.add(socket);
    socket.once('close', () => {
      open -= 1;
      idle.remove(socket);
    });
    if (open > crowded) idle.takeNext(socket)?.destroy();
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.remove(socket);
    response.once('close', () => {
      if (!socket.destroyed) idle.add(socket);
    });
  });
}

/** The idle connections by address, each in the order in which they became idle. */
class IdleConnections {
  private readonly byAddress = new Map<string, Set<Socket>>();
  private readonly addresses = new WeakMap<Socket, string>();

  add(socket: Socket): void {
    // A closed connection has no address any more.
    const address = this.addresses.get(socket) ?? socket.remoteAddress ?? '';
    this.addresses.set(socket, address);
    const sockets = this.byAddress.get(address) ?? new Set();
    this.byAddress.set(address, sockets.add(socket));
  }

  remove(socket: Socket): void {
    const address = this.addresses.get(socket) ?? '';
    const sockets = this.byAddress.get(address);
    sockets?.delete(socket);
    if (sockets?.size === 0) this.byAddress.delete(address);
  }

  /** The connection to close next, except the given one. */
  takeNext(newcomer: Socket): Socket | undefined {
    let most: Set<Socket> | undefined;
    for (const sockets of this.byAddress.values()) if (sockets.size > (most?.size ?? 0)) most = sockets;
    for (const socket of most ?? []) {
      if (socket === newcomer) continue;
      this.remove(socket);
      return socket;
    }
    return undefined;
  }
}
