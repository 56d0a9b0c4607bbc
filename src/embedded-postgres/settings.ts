import type { Endpoint } from './endpoint.js';
import type { Home } from './home.js';

/** The server's command line. `unsafe` trades durability for speed and is for tests only. */
export function serverArguments(home: Home, endpoint: Endpoint, unsafe: boolean): string[] {
  const settings = {
    listen_addresses: endpoint.socket ? '' : endpoint.host,
    unix_socket_directories: endpoint.socket ? endpoint.host : '',
    unix_socket_permissions: '0700',
    port: String(endpoint.port),
    hba_file: home.accessRules,
    max_connections: unsafe ? '200' : '100',
    shared_buffers: '128MB',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    ...(unsafe ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  };
  return ['-D', home.cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
