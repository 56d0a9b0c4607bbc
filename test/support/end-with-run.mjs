/**
 * Preloaded into the processes that tests start: holds a connection to the test run (global-setup.ts) for as long as the
 * process runs, and ends the process in the regular way when the run closes it, or is killed.
 */
import { connect } from 'node:net';

const end = () => process.kill(process.pid, 'SIGTERM');
const port = Number(new URL(import.meta.url).searchParams.get('port'));
connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('end', end).on('error', end).resume().unref();
